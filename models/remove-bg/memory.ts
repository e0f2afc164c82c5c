import type { VideoFacts } from '../files/containers/video-header.ts';
import type { ImageFacts } from '../files/headers/image-header.ts';
import { MATTE_MODELS } from './matte-models.ts';

/** Memory of a run besides its own pixels: the program, and the largest possible background image. */
const BASE_BYTES = 720_000_000;
/** Bytes per pixel of an image: its raster, the decoded source, and the encoder's copy. */
const IMAGE_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of a video: frames in progress, and the encoder's look-ahead, of double height for mp4. */
const VIDEO_BYTES_PER_PIXEL = 250;

/**
 * Estimates the memory of a run on an image or a video, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 */
export function memoryBytes(
  facts: Pick<ImageFacts, 'width' | 'height'> | VideoFacts,
  modelBytesMax: number,
): number {
  const perPixel = 'durationSeconds' in facts ? VIDEO_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL;
  const models = MATTE_MODELS.map(({ card }) => card.memoryBytes);
  const model = Math.min(modelBytesMax, Math.max(...models));
  return BASE_BYTES + perPixel * facts.width * facts.height + model;
}
