import { OperationError } from '../../core/operation/errors.ts';
import type { FloatImage, Raster } from '../../core/runtime/raster.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { fitWithin, resizeColours, resizeImage } from '../../kernels/raster/resize.ts';
import { findSubject } from '../../matting/find-subject.ts';
import { REMOVE_BG_WEIGHTS } from '../../matting/weights.ts';
import { getRaster, openImage } from '../../media/image/raster-files.ts';

/** Longest side at which a subject is found. */
const SIDE_MAX = 640;

/**
 * Finds what should not be repeated next to an image: its subject.
 * @returns one channel, 0 to 1, over the image; undefined when no model is available that finds it
 */
export async function findSubjectMask(
  image: Raster,
  { inference, signal }: Pick<Runtime, 'inference' | 'signal'>,
): Promise<FloatImage | undefined> {
  const { width, height } = fitWithin(image, SIDE_MAX);
  const colours = resizeColours(image, width, height);
  try {
    const engine = REMOVE_BG_WEIGHTS.matte.id;
    const options = { engine, isStill: true, signal, onProgress() {} };
    const { matte } = await findSubject(inference, colours, options);
    return resizeImage(matte, width, height);
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'unavailable') return undefined;
    throw thrown;
  }
}

/**
 * Finds the subject of an image file.
 * @returns as `findSubjectMask` does
 * @throws OperationError `unprocessable` when the image is corrupt
 */
export async function readSubjectMask(
  input: Blob,
  runtime: Pick<Runtime, 'images' | 'inference' | 'signal'>,
): Promise<FloatImage | undefined> {
  return findSubjectMask(await getRaster(await openImage(input, runtime), { sideMax: SIDE_MAX }), runtime);
}
