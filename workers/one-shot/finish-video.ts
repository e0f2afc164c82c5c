import { proxy, wrap } from 'comlink';
import { createSemaphore } from '../../models/concurrency/semaphore.ts';
import type { CutoutFiles, VideoEdits } from '../../models/remove-bg/cutout-edits.ts';
import type { WrittenVideo } from '../../models/remove-bg/write-cutouts.ts';
import type { ReportProgress } from '../../models/runtime/progress.ts';
import type { Outcome } from '../bridge/protocol.ts';
import { runInWorker } from '../bridge/run-in-worker.ts';

/** Interface of the worker to the page. */
export interface FinishVideoWorker {
  finish(files: CutoutFiles, edits: VideoEdits, onProgress: ReportProgress): Promise<Outcome<WrittenVideo>>;
}

export interface FinishOptions {
  /** Terminates the worker. */
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/** Decoders and an encoder use all cores. */
const slots = createSemaphore(1);

/**
 * Makes the file of a cut-out video with its background and format, in a worker of its own. One at a time; the others
 * wait.
 * @throws OperationError as the model's `finishVideo` does; `cancelled` by the signal; `internal` when the worker
 *   fails
 */
export async function finishVideo(
  files: CutoutFiles,
  edits: VideoEdits,
  { signal, onProgress }: FinishOptions,
): Promise<WrittenVideo> {
  const start = () => new Worker(new URL('./finish-video.worker.ts', import.meta.url), { type: 'module' });
  const ask = (worker: Worker) => wrap<FinishVideoWorker>(worker).finish(files, edits, proxy(onProgress));
  return runInWorker(start, ask, { slots, signal });
}
