import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { measureGraphics } from '../../../models/kernels/raster/measure-graphics.ts';
import { firstFrame } from '../../../models/kernels/raster/picture.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { type GraphicsPlan, planGraphics } from '../../../models/media/image/quality/graphics-coding.ts';

/** Pixels of all frames up to which an image is measured: it is in memory whole for that. */
const MEASURED_PIXELS_MAX = 50_000_000;

/**
 * Measures an image by its first frame, and plans its coding if it is a drawing.
 * @returns null for photographs and images that are too large to measure
 * @throws OperationError `unprocessable` when the image cannot be decoded
 */
export async function planPicture(
  picture: Picture,
  { format, quality }: Pick<EncodeOptions, 'format' | 'quality'>,
): Promise<GraphicsPlan | null> {
  const { width, height, frameCount } = picture;
  const isMeasured = getFormat(format).drawings && width * height * frameCount <= MEASURED_PIXELS_MAX;
  if (!isMeasured) return null;
  const measure = measureGraphics(await firstFrame(picture));
  return planGraphics(measure, { format, quality, width, height });
}
