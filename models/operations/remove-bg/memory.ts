import { MATTE_MODELS } from '../../matting/matte-models.ts';
import type { VideoFacts } from '../../media/containers/video-header.ts';
import type { ImageFacts } from '../../media/image/headers/image-header.ts';

/** Memory of a run besides its own pixels: the program, and the largest possible background image. */
const BASE_BYTES = 720_000_000;
/** Bytes per pixel of an image: its raster, the decoded source, and the encoder's copy. */
const IMAGE_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of a canvas of its own: the subject in its size there, the canvas, and the encoder's copy. */
const CANVAS_BYTES_PER_PIXEL = 12;
/** Bytes per pixel of a video: frames in progress, and the encoder's look-ahead, of double height for mp4. */
const VIDEO_BYTES_PER_PIXEL = 250;

/** Bytes per pixel of a video on a device: its encoder holds its own frames outside of the tab. */
const DEVICE_VIDEO_BYTES_PER_PIXEL = 60;

type Facts = Pick<ImageFacts, 'width' | 'height'> | VideoFacts;

/** Estimates the memory of a run's own pixels in a tab, in bytes. */
export function deviceMemoryBytes(facts: Facts): number {
  const perPixel = 'durationSeconds' in facts ? DEVICE_VIDEO_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL;
  return perPixel * facts.width * facts.height;
}

/**
 * Estimates the memory of a run on an image or a video, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 * @param canvasPixels of the canvas that the subject is placed on; 0 without one
 */
export function memoryBytes(facts: Facts, modelBytesMax: number, canvasPixels = 0): number {
  const perPixel = 'durationSeconds' in facts ? VIDEO_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL;
  const models = MATTE_MODELS.map(({ card }) => card.memoryBytes);
  const model = Math.min(modelBytesMax, Math.max(...models));
  return BASE_BYTES + perPixel * facts.width * facts.height + CANVAS_BYTES_PER_PIXEL * canvasPixels + model;
}
