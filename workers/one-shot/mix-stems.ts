import { proxy, wrap } from 'comlink';
import type { MixRequest, WrittenMix } from '../../models/audio-separate-stems/mix-stems.ts';
import { createSemaphore } from '../../models/concurrency/semaphore.ts';
import type { ReportProgress } from '../../models/runtime/progress.ts';
import type { Outcome } from '../bridge/protocol.ts';
import { runInWorker } from '../bridge/run-in-worker.ts';

/** Interface of the worker to the page. */
export interface MixStemsWorker {
  mix(request: MixRequest, onProgress: ReportProgress): Promise<Outcome<WrittenMix>>;
}

export interface MixOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** Encoders use a whole core. */
const slots = createSemaphore(1);

/**
 * Writes a mix of stems in a worker of its own. One at a time; the others wait.
 * @throws OperationError as `mixStems` does; `cancelled` by the signal; `internal` when the worker fails
 */
export function mixStemsInWorker(
  request: MixRequest,
  { signal, onProgress }: MixOptions,
): Promise<WrittenMix> {
  const start = () => new Worker(new URL('./mix-stems.worker.ts', import.meta.url), { type: 'module' });
  const ask = (worker: Worker) => wrap<MixStemsWorker>(worker).mix(request, proxy(onProgress));
  return runInWorker(start, ask, { slots, signal });
}
