import { createSemaphore } from '../../models/core/concurrency.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import type { MixRequest, WrittenMix } from '../../models/operations/stems/mix-stems.ts';
import { callOnce } from './one-shot.ts';

export interface MixOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** Encoders use a whole core. */
const slots = createSemaphore(1);

/**
 * Writes a mix of stems in its own worker. One at a time; the others wait.
 * @throws OperationError as `mixStems` does; `cancelled` by the signal; `internal` when the worker fails
 */
export function mixStemsInWorker(
  request: MixRequest,
  { signal, onProgress }: MixOptions,
): Promise<WrittenMix> {
  return callOnce((worker, report) => worker.mixStems(request, report), { slots, signal, onProgress });
}
