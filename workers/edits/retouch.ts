import { wrap } from 'comlink';
import { createSemaphore } from '../../models/core/concurrency.ts';
import type { OutputFile } from '../../models/core/operation/run-result.ts';
import type { CutoutEdits, CutoutFiles } from '../../models/operations/remove-bg/cutout-edits.ts';
import type { Stroke } from '../../models/operations/remove-bg/strokes.ts';
import { type Outcome, unwrap } from '../bridge/protocol.ts';
import { runInWorker, workerFailure } from '../bridge/worker-pool.ts';

/** Interface of the retouching worker to the page. */
export interface RetouchWorker {
  open(files: CutoutFiles): Promise<Outcome<void>>;
  preview(strokes: readonly Stroke[]): Promise<Outcome<ImageBitmap>>;
  finish(files: CutoutFiles, edits: CutoutEdits): Promise<Outcome<OutputFile>>;
}

/** Retouching of one image. */
export interface RetouchSession {
  /**
   * Renders the cutout after some strokes, at screen size.
   * @throws OperationError `unprocessable` when a file is corrupt; `unavailable` out of memory; `internal`
   */
  preview(strokes: readonly Stroke[]): Promise<ImageBitmap>;
  /** Frees the memory. Pending calls never settle. */
  end(): void;
}

/** Opens a cutout for the brush, in a worker that lives until the session ends. */
export function openRetouch(files: CutoutFiles): RetouchSession {
  const worker = startWorker();
  const remote = wrap<RetouchWorker>(worker);
  const failed = workerFailure(worker);
  const opened = remote.open(files).then(unwrap<void>);
  // Callers of the preview receive this error; without callers it is not needed.
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

/** A full-size image takes hundreds of MB. */
const slots = createSemaphore(1);

/**
 * Makes the file of a cutout with its retouching, background and format, in its own worker. One at a time; the
 * others wait.
 * @throws OperationError as `finishCutout` does; `cancelled` by the signal; `unavailable` out of memory; `internal`
 *   when the worker fails
 */
export async function finishCutout(
  files: CutoutFiles,
  edits: CutoutEdits,
  signal: AbortSignal,
): Promise<OutputFile> {
  const ask = (worker: Worker) => wrap<RetouchWorker>(worker).finish(files, edits);
  return runInWorker(startWorker, ask, { slots, signal });
}

function startWorker(): Worker {
  return new Worker(new URL('./retouch.worker.ts', import.meta.url), { type: 'module' });
}
