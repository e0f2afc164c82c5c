import { type Remote, wrap } from 'comlink';
import type { RunResult } from '../../models/core/operation/run-result.ts';
import type { ReportDraft, ReportProgress } from '../../models/core/runtime/progress.ts';
import type { DeviceSettings } from '../../models/media/image/device-settings.ts';
import type { OperationId, RunnableId } from '../../models/registry.ts';
import { cancelled, type RunWorker, unwrap } from '../bridge/protocol.ts';
import { idleWork, openingSlots, runSlots } from '../bridge/run-slots.ts';
import { progressUntilEnd, untilEnd } from '../bridge/until-end.ts';
import { createWorkerPool, workerFailure } from '../bridge/worker-pool.ts';

export interface RunOptions {
  /** Further files that params name, by param name: `background` of an image. */
  readonly attachments?: Readonly<Record<string, Blob>>;
  readonly settings?: DeviceSettings;
  /** Whether the run only opens an image to be shown: it waits for others of its kind, and for no other run. */
  readonly isOpening?: boolean;
  /** Whether no visitor waits for the run: it leaves the warm worker to the runs of visitors. */
  readonly isInBackground?: boolean;
  /** Ends the run: first cooperatively, after a short grace by force. */
  readonly signal?: AbortSignal;
  /** Progress of the whole run, downloads included. */
  readonly onProgress?: ReportProgress;
  /** Receives coarse forms of the result while the run goes on, if the operation makes them. */
  readonly onDraft?: ReportDraft | undefined;
}

/** Grace for a cancelled run to end by itself before its worker is terminated. */
const CANCEL_GRACE_MS = 300;

/** A worker is taken only with a slot and returned before the slot is, so there are never more than slots. */
const workers = createWorkerPool(start, { page: globalThis.document, memoryGb: getMemoryGb() });
/** Workers for other work: a worker that is prepared for a run stays free for it. */
const others = createWorkerPool(start);

/** Number of runs under way, without those that open images. */
let runCount = 0;

function start(): { worker: Worker; remote: Remote<RunWorker> } {
  const worker = new Worker(new URL('./operation.worker.ts', import.meta.url), { type: 'module' });
  return { worker, remote: wrap<RunWorker>(worker) };
}

/**
 * Starts a worker for the next run, and lets it load what a run of this operation most likely needs, while the visitor
 * still looks for a file. A run that comes earlier joins what is being loaded.
 */
export function prepareRun(operationId: OperationId): void {
  // The worker of a run is there for the next one, too.
  if (runCount > 0) return;
  idleWork.end();
  const prepared = workers.acquire();
  prepared.remote.prepare(operationId).catch(() => {});
  workers.release(prepared);
}

/** Returns the memory that the browser reports. Pages are also rendered on the server, where Node 20 has no navigator. */
function getMemoryGb(): number | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly deviceMemory?: number } };
  return navigator?.deviceMemory;
}

/**
 * Runs an operation on this device, in its own worker. A worker whose run succeeded waits for the next,
 * since a new worker for each of many files would load models and codecs again; any other is terminated. Either way its
 * memory comes back. At most RUNS_MAX run at a time; the others wait in order. Always settles, whatever happens to the
 * worker.
 * @throws OperationError `cancelled` by `signal`; `bad_request` or `unprocessable` for the input; `unavailable` when
 *   this device cannot do it, but the server can; `internal` when the worker fails
 */
export async function runOperation(
  operationId: RunnableId,
  file: Blob,
  params: unknown,
  {
    attachments = {},
    settings = {},
    isOpening = false,
    isInBackground = false,
    signal,
    onProgress = () => {},
    onDraft,
  }: RunOptions = {},
): Promise<RunResult> {
  const release = await (isOpening ? openingSlots : runSlots).acquire(signal).catch(() => {
    throw cancelled();
  });
  const pool = isOpening || isInBackground ? others : workers;
  const taken = pool.acquire();
  if (!isOpening) runCount += 1;
  const { worker, remote } = taken;
  let isReusable = false;
  const ended = new AbortController();
  try {
    const run = async () => {
      // The worker would start FFmpeg again to measure what the page measures by it.
      const { getMeasurement } = await import('../../models/media/audio/read/measure-file.ts');
      const measurement = await getMeasurement(file);
      signal?.throwIfAborted();
      return await remote.run(
        operationId,
        { file, params, attachments: new Map(Object.entries(attachments)), settings, measurement },
        progressUntilEnd(ended.signal, onProgress),
        onDraft && untilEnd(ended.signal, onDraft),
      );
    };
    const result = await Promise.race([
      run().then(unwrap<RunResult>),
      workerFailure(worker),
      cancellation(signal, ended.signal, () => remote.cancel()),
    ]);
    isReusable = !signal?.aborted;
    return result;
  } finally {
    ended.abort();
    if (!isOpening) runCount -= 1;
    if (isReusable) pool.release(taken);
    else worker.terminate();
    release();
    if (isReusable) idleWork.plan((idle) => compareRuns(remote, idle));
  }
}

/**
 * Compares the providers of this device by the runs of a worker, in another one. A worker that ends while it compares never
 * responds.
 */
async function compareRuns(remote: Remote<RunWorker>, idle: AbortSignal): Promise<void> {
  const runs = await remote.listUncompared();
  if (runs.length === 0) return;
  // Most devices never need it.
  const { inWorker } = await import('../one-shot/one-shot.ts');
  idle.throwIfAborted();
  await inWorker('compareProviders', [runs], { signal: idle });
}

/** Asks the run to end when `signal` aborts, and rejects after the grace. Never resolves. */
function cancellation(signal: AbortSignal | undefined, ended: AbortSignal, ask: () => void): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => {
      ask();
      setTimeout(() => reject(cancelled()), CANCEL_GRACE_MS);
    };
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true, signal: ended });
  });
}
