import { proxy, wrap } from 'comlink';
import type { RunResult } from '../models/operation.ts';
import type { OperationId } from '../models/registry.ts';
import { fault } from './fault.ts';
import { cancelled, type RunWorker, unwrap } from './protocol.ts';
import type { ReportProgress } from './runtime/progress-meter.ts';
import { createSlots } from './slots.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface RunOptions {
  /** Other files that params name, by the name of the param: `background` of an image. */
  readonly attachments?: Readonly<Record<string, Blob>>;
  /** Ends the run: first by asking, after a short grace by force. */
  readonly signal?: AbortSignal;
  /** Of the whole run, what it has to load included. */
  readonly onProgress?: ReportProgress;
}

/** How long a cancelled run may take to end by itself before its worker is ended. */
const CANCEL_GRACE_MS = 300;

/** Each run takes a core and may take hundreds of MB, and the page needs a core for itself. */
export const RUNS_MAX = Math.min(4, Math.max(1, coresOf(globalThis.navigator) - 1));

const slots = createSlots(RUNS_MAX);

/** As a worker is taken only with a slot and kept before it is left, there are never more than RUNS_MAX. */
const workers = createWorkerPool(() => {
  const worker = new Worker(new URL('./operation.worker.ts', import.meta.url), { type: 'module' });
  return { worker, remote: wrap<RunWorker>(worker) };
});

/**
 * Runs an operation on this device, in a worker that does nothing else meanwhile. One whose run went well waits a few
 * seconds for the next, since a worker for each of many files would load networks and codecs for each; any other is
 * ended at once. Either way its memory comes back. At most RUNS_MAX run at a time; the others wait in the order of
 * asking. Always settles, whatever becomes of the worker.
 * @throws OperationError `cancelled` by `signal`; `bad_request` or `unprocessable` for the input; `unavailable` when
 *   this device cannot do it, but the server can; `internal` when the worker fails
 */
export async function run(
  operationId: OperationId,
  file: Blob,
  params: unknown,
  { attachments = {}, signal, onProgress = () => {} }: RunOptions = {},
): Promise<RunResult> {
  const leave = await slots.take(signal).catch(() => {
    throw cancelled();
  });
  const taken = workers.take();
  const { worker, remote } = taken;
  let mayGoOn = false;
  const ended = new AbortController();
  try {
    // On a port of its own: what is told last may come after the answer, when nobody waits for it any more.
    const report: ReportProgress = (...progress) => {
      if (!ended.signal.aborted) onProgress(...progress);
    };
    const input = { file, params, attachments: new Map(Object.entries(attachments)) };
    const answered = remote.run(operationId, input, proxy(report));
    const result = await Promise.race([
      answered.then(unwrap<RunResult>),
      fault(worker),
      cancellation(signal, ended.signal, () => remote.cancel()),
    ]);
    mayGoOn = !signal?.aborted;
    return result;
  } finally {
    ended.abort();
    if (mayGoOn) workers.keep(taken);
    else worker.terminate();
    leave();
  }
}

/** Pages are also rendered on the server, where Node 20 has no navigator. */
function coresOf(navigator: { readonly hardwareConcurrency: number } | undefined): number {
  return navigator?.hardwareConcurrency || 2;
}

/** Asks the run to end when `signal` says so, and rejects once it had time to. Never resolves. */
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
