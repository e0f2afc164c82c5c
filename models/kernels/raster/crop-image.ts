import type { FloatImage } from '../../core/runtime/raster.ts';
import type { Region } from './crop-raster.ts';

/** Copies a region that lies within an image. */
export function cropImage(image: FloatImage, { left, top, width, height }: Region): FloatImage {
  const { channels } = image;
  const data = new Float32Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * image.width + left) * channels;
    data.set(image.data.subarray(from, from + width * channels), y * width * channels);
  }
  return { width, height, channels, data };
}

/**
 * Copies part of a crop back into its image, in place.
 * @param from position of the crop in the image
 * @param region area to copy, within `from`
 */
export function pasteImage(into: FloatImage, crop: FloatImage, from: Region, region: Region): void {
  const { channels } = into;
  const length = region.width * channels;
  for (let y = 0; y < region.height; y++) {
    const start = ((region.top - from.top + y) * crop.width + region.left - from.left) * channels;
    const to = ((region.top + y) * into.width + region.left) * channels;
    into.data.set(crop.data.subarray(start, start + length), to);
  }
}
