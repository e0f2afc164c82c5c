import { createSemaphore } from '../../models/core/concurrency.ts';
import type { FloatImage } from '../../models/core/runtime/raster.ts';
import type { ExtentParams } from '../../models/operations/extend/geometry.ts';
import type { FillPreview } from '../../models/operations/extend/preview-fill.ts';
import { callOnce } from './one-shot.ts';

const slots = createSemaphore(1);

/**
 * Previews the simple fill of a canvas in its own worker. One at a time; the others wait.
 * @param signal terminates the worker
 * @throws OperationError as the model's `previewFill` does; `cancelled` by the signal; `internal` when the worker fails
 */
export function previewFillInWorker(
  file: Blob,
  params: ExtentParams,
  signal: AbortSignal,
): Promise<FillPreview> {
  return callOnce((worker) => worker.previewFill(file, params), { slots, signal });
}

/**
 * Finds the subject of an image in its own worker: whether a border cuts it tells how well a simple fill can do. Waits for
 * the previews.
 * @returns one channel, 0 to 1, over the image; undefined where no model is available
 * @throws OperationError as `previewFillInWorker` does
 */
export function readSubjectInWorker(file: Blob, signal: AbortSignal): Promise<FloatImage | undefined> {
  return callOnce((worker) => worker.readSubjectMask(file), { slots, signal });
}
