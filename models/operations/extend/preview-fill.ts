import type { Runtime } from '../../core/runtime/runtime.ts';
import { isGrey, isOpaque, makeGrey } from '../../kernels/raster/pixel-format.ts';
import { scaleRaster } from '../../kernels/raster/scale-raster.ts';
import { encodeRaster, getRaster } from '../../media/image/raster-files.ts';
import type { FillEstimate } from './fill/estimate-fill.ts';
import { extendFromItself } from './fill/extend-raster.ts';
import { reduceCanvas } from './fill/fill-level.ts';
import { leaveFrameOut } from './frame.ts';
import { computeExtent, type ExtentParams } from './geometry.ts';
import { seededRandom } from './seeded-random.ts';

/** Look of the simple fill before a run, and how good it is likely to be. */
export interface FillPreview extends FillEstimate {
  /** Whole canvas as a small PNG. */
  readonly blob: Blob;
}

/** Pixels of a preview's canvas: about half a second of search. */
const PIXELS_MAX = 90_000;

/**
 * Fills a small copy of a canvas from the image itself, and estimates how well the simple fill will do there. It needs
 * no model, so it keeps no subject from being repeated.
 * @throws OperationError `unprocessable` when the image is corrupt; `bad_request` when nothing would be added
 */
export async function previewFill(
  input: Blob,
  params: ExtentParams,
  { images, signal }: Pick<Runtime, 'images' | 'signal'>,
): Promise<FillPreview> {
  const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
  const whole = computeExtent(picture, params);
  const factor = Math.max(1, Math.sqrt((whole.width * whole.height) / PIXELS_MAX));
  const extent = reduceCanvas(whole, factor);
  const { width, height } = extent.kept;
  const original = await getRaster(picture, { sideMax: Math.max(width, height) });
  const image = scaleRaster(original, width, height);
  const unframed = leaveFrameOut(original, image, extent);
  const { raster, estimate } = await extendFromItself(unframed.image, unframed.extent, {
    random: seededRandom(0),
    signal,
    onProgress() {},
  });
  if (isGrey(image)) makeGrey(raster);
  const file = { format: 'png', quality: 100, hasAlpha: !isOpaque(raster) } as const;
  const { blob } = await encodeRaster(raster, file, { images, signal });
  return { ...estimate, blob };
}
