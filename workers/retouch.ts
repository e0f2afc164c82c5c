import { wrap } from 'comlink';
import type { OutputFile } from '../models/operation.ts';
import type { CutoutFiles, Look } from '../models/remove-bg/look.ts';
import type { Stroke } from '../models/remove-bg/strokes.ts';
import { askAlone } from './ask-alone.ts';
import { fault } from './fault.ts';
import { type Answer, unwrap } from './protocol.ts';
import { createSlots } from './slots.ts';

/** What the worker of a retouching offers to the page. */
export interface RetouchWorker {
  open(files: CutoutFiles): Promise<Answer<void>>;
  preview(strokes: readonly Stroke[]): Promise<Answer<ImageBitmap>>;
  finish(files: CutoutFiles, look: Look): Promise<Answer<OutputFile>>;
}

/** One picture under the brush. */
export interface RetouchSession {
  /**
   * The cutout after some strokes, at screen size.
   * @throws OperationError `unprocessable` when a file is corrupt; `unavailable` out of memory; `internal`
   */
  preview(strokes: readonly Stroke[]): Promise<ImageBitmap>;
  /** Gives the memory back. What was asked for and not yet answered never settles. */
  end(): void;
}

/** Opens a cutout for the brush, in a worker that lives until the session ends. */
export function openRetouch(files: CutoutFiles): RetouchSession {
  const worker = startWorker();
  const remote = wrap<RetouchWorker>(worker);
  const failed = fault(worker);
  const opened = remote.open(files).then(unwrap<void>);
  // Whoever asks for a preview hears of it; with nobody asking there is nobody to tell.
  opened.catch(() => {});
  failed.catch(() => {});
  return {
    async preview(strokes) {
      await Promise.race([opened, failed]);
      return Promise.race([remote.preview(strokes).then(unwrap<ImageBitmap>), failed]);
    },
    end: () => worker.terminate(),
  };
}

/** A picture at full size takes hundreds of MB. */
const slots = createSlots(1);

/**
 * Makes the file of a cutout with its retouching, background and format, in a worker that is ended afterwards. One at a
 * time; the others wait.
 * @throws OperationError as `finishCutout` does; `cancelled` by the signal; `unavailable` out of memory; `internal` when
 * the worker fails
 */
export async function finishCutout(files: CutoutFiles, look: Look, signal: AbortSignal): Promise<OutputFile> {
  const ask = (worker: Worker) => wrap<RetouchWorker>(worker).finish(files, look);
  return askAlone(startWorker, ask, { slots, signal });
}

function startWorker(): Worker {
  return new Worker(new URL('./retouch.worker.ts', import.meta.url), { type: 'module' });
}
