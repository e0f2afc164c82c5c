import type { FloatImage } from '../raster.ts';
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
