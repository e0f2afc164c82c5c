import { proxy, wrap } from 'comlink';
import type { CutoutFiles, VideoLook } from '../models/remove-bg/look.ts';
import type { WrittenVideo } from '../models/remove-bg/write-cutouts.ts';
import type { Runtime } from '../models/runtime.ts';
import { askAlone } from './ask-alone.ts';
import type { Answer } from './protocol.ts';
import { createSlots } from './slots.ts';

/** What the worker offers to the page. */
export interface FinishVideoWorker {
  finish(files: CutoutFiles, look: VideoLook, onProgress: Runtime['progress']): Promise<Answer<WrittenVideo>>;
}

export interface FinishOptions {
  /** Ends the work at once. */
  readonly signal: AbortSignal;
  readonly onProgress: Runtime['progress'];
}

/** Decoders and an encoder at work take all cores. */
const slots = createSlots(1);

/**
 * Makes the file of a cut out video with its background and format, in a worker that is ended afterwards. One at a time;
 * the others wait.
 * @throws OperationError as the model's `finishVideo` does; `cancelled` by the signal; `internal` when the worker fails
 */
export async function finishVideo(
  files: CutoutFiles,
  look: VideoLook,
  { signal, onProgress }: FinishOptions,
): Promise<WrittenVideo> {
  const start = () => new Worker(new URL('./finish-video.worker.ts', import.meta.url), { type: 'module' });
  const ask = (worker: Worker) => wrap<FinishVideoWorker>(worker).finish(files, look, proxy(onProgress));
  return askAlone(start, ask, { slots, signal });
}
