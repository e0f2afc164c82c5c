import type { ImageSize } from '../../core/runtime/raster.ts';

/** Most pixels of an enlarged image. */
export const OUTPUT_PIXELS_MAX = 100_000_000;
/** Longest side of an enlarged video that decoders of H.264 play. */
export const OUTPUT_SIDE_MAX = 4096;

/** Returns the pixels of an enlarged image. */
export function enlargedPixels({ width, height }: ImageSize, scale: number): number {
  return width * height * scale ** 2;
}
