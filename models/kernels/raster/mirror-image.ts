import type { FloatImage } from '../../core/runtime/raster.ts';

/** Mirrors an image left to right. */
export function mirrorImage({ width, height, channels, data }: FloatImage): FloatImage {
  const mirrored = new Float32Array(data.length);
  const length = width * channels;
  for (let start = 0; start < data.length; start += length) {
    for (let from = start, to = start + length - channels; from < start + length; to -= 2 * channels) {
      for (let channel = 0; channel < channels; channel++) mirrored[to++] = data[from++];
    }
  }
  return { width, height, channels, data: mirrored };
}
