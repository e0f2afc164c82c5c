import type { FloatImage } from '../../core/runtime/raster.ts';

/**
 * Resizes an image bilinearly with aligned corners: the centres of the corner pixels stay the corners. Does not
 * average, so a reduction aliases: only for networks that were trained on such images (TensorFlow's `resize_bilinear`
 * with `align_corners`).
 */
export function resizeAligned(image: FloatImage, width: number, height: number): FloatImage {
  const { channels, data } = image;
  const resized = new Float32Array(width * height * channels);
  const columns = places(image.width, width);
  const rows = places(image.height, height);
  const rowLength = image.width * channels;
  for (let y = 0, to = 0; y < height; y++) {
    const { before: top, after: bottom, share: down } = rows[y];
    for (let x = 0; x < width; x++) {
      const { before: left, after: right, share: along } = columns[x];
      for (let channel = 0; channel < channels; channel++, to++) {
        const at = (row: number, column: number) => data[row * rowLength + column * channels + channel];
        const upper = at(top, left) + (at(top, right) - at(top, left)) * along;
        const lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * along;
        resized[to] = upper + (lower - upper) * down;
      }
    }
  }
  return { width, height, channels, data: resized };
}

/** Neighbours of a sample, and its distance from the first, 0 to 1. */
interface Place {
  readonly before: number;
  readonly after: number;
  readonly share: number;
}

function places(from: number, to: number): readonly Place[] {
  const step = to > 1 ? (from - 1) / (to - 1) : 0;
  return Array.from({ length: to }, (_, at) => {
    const position = at * step;
    const before = Math.min(from - 1, Math.floor(position));
    return { before, after: Math.min(from - 1, before + 1), share: position - before };
  });
}
