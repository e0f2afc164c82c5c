import type { VideoFacts } from '../files/containers/video-header.ts';
import type { ImageSize } from '../raster.ts';
import type { Scale } from './plan-passes.ts';
import { UPSCALERS } from './upscalers.ts';

/** Memory of a run besides its pixels: the program and the codecs. */
const BASE_BYTES = 600_000_000;
/** Bytes per pixel of an input image: its raster of 16 bits, and the decoder's copy. */
const INPUT_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of an enlarged image: the compressed file and its copy; WebP is held whole. */
const IMAGE_BYTES_PER_PIXEL = 18;
/** Bytes per pixel of an enlarged video: frames in progress, and the encoder's look-ahead. */
const VIDEO_BYTES_PER_PIXEL = 150;

/**
 * Estimates the memory of a run, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 */
export function memoryBytes(facts: ImageSize | VideoFacts, scale: Scale, modelBytesMax: number): number {
  const models = UPSCALERS.flatMap(({ networks }) => networks.map(({ card }) => card.memoryBytes));
  const model = Math.min(modelBytesMax, Math.max(...models));
  const perPixel = 'durationSeconds' in facts ? VIDEO_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL;
  const pixels = facts.width * facts.height;
  return BASE_BYTES + pixels * (INPUT_BYTES_PER_PIXEL + perPixel * scale ** 2) + model;
}
