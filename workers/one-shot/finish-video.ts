import { createSemaphore } from '../../models/core/concurrency.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import type { CutoutFiles, VideoEdits } from '../../models/operations/remove-bg/cutout-edits.ts';
import type { WrittenVideo } from '../../models/operations/remove-bg/finish-video.ts';
import { callOnce } from './one-shot.ts';

export interface FinishOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** Decoders and an encoder use all cores. */
const slots = createSemaphore(1);

/**
 * Makes the file of a cut-out video with its background and format, in its own worker. One at a time; the others
 * wait.
 * @throws OperationError as the model's `finishVideo` does; `cancelled` by the signal; `internal` when the worker
 *   fails
 */
export function finishVideo(
  files: CutoutFiles,
  edits: VideoEdits,
  { signal, onProgress }: FinishOptions,
): Promise<WrittenVideo> {
  return callOnce((worker, report) => worker.finishVideo(files, edits, report), {
    slots,
    signal,
    onProgress,
  });
}
