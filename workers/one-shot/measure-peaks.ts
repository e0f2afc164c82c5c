import { createSemaphore } from '../../models/core/concurrency.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import type { Peaks } from '../../models/kernels/audio/peaks.ts';
import { callOnce } from './one-shot.ts';

const slots = createSemaphore(1);

/**
 * Decodes the audio of a file once and measures its peaks, in its own worker.
 * @throws OperationError `cancelled` by the signal; `bad_request` or `unprocessable` for the file; `unavailable` when
 *   this device cannot decode it; `internal` when the worker fails
 */
export function measurePeaks(
  file: Blob,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: ReportProgress },
): Promise<Peaks> {
  return callOnce((worker, report) => worker.measurePeaks(file, report), { slots, signal, onProgress });
}
