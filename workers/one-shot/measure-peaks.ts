import { wrap } from 'comlink';
import { createSemaphore } from '../../models/concurrency/semaphore.ts';
import type { Peaks } from '../../models/kernels/audio/peaks.ts';
import type { Outcome } from '../bridge/protocol.ts';
import { runInWorker } from '../bridge/run-in-worker.ts';

/** Interface of the worker to the page. */
export interface PeaksWorker {
  measure(file: Blob): Promise<Outcome<Peaks>>;
}

const slots = createSemaphore(1);

/**
 * Decodes the audio of a file once and measures its peaks, in a worker of its own.
 * @throws OperationError `cancelled` by the signal; `bad_request` or `unprocessable` for the file; `unavailable` when
 *   this device cannot decode it; `internal` when the worker fails
 */
export function measurePeaks(file: Blob, signal: AbortSignal): Promise<Peaks> {
  const start = () => new Worker(new URL('./measure-peaks.worker.ts', import.meta.url), { type: 'module' });
  return runInWorker(start, (worker) => wrap<PeaksWorker>(worker).measure(file), { slots, signal });
}
