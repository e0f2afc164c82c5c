import type { ImageSize } from '../raster.ts';
import type { Scale } from './plan-passes.ts';
import { UPSCALERS } from './upscalers.ts';

/** Memory of a run besides its pixels: the program and the codecs. */
const BASE_BYTES = 600_000_000;
/** Bytes per pixel of the input: its raster of 16 bits, and the decoder's copy. */
const INPUT_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of the result: the compressed file and its copy; WebP is held whole. */
const OUTPUT_BYTES_PER_PIXEL = 18;

/**
 * Estimates the memory of a run on an image, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 */
export function memoryBytes({ width, height }: ImageSize, scale: Scale, modelBytesMax: number): number {
  const models = UPSCALERS.flatMap(({ networks }) => networks.map(({ card }) => card.memoryBytes));
  const model = Math.min(modelBytesMax, Math.max(...models));
  return BASE_BYTES + width * height * (INPUT_BYTES_PER_PIXEL + OUTPUT_BYTES_PER_PIXEL * scale ** 2) + model;
}
