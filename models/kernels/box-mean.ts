import type { FloatImage } from '../raster.ts';

/**
 * The mean over a square of `2 * radius + 1` places around each place; at the border, over what of it there is. Running
 * sums, so the radius costs nothing.
 */
export function boxMean(image: FloatImage, radius: number): FloatImage {
  const { width, height, channels } = image;
  const rows = new Float32Array(image.data.length);
  for (let y = 0; y < height; y++) meanAlong(image, y, radius, rows);
  const data = new Float32Array(image.data.length);
  const rowLength = width * channels;
  meanDown(rows, data, rowLength, height, radius);
  return { width, height, channels, data };
}

function meanAlong({ data, width, channels }: FloatImage, y: number, radius: number, to: Float32Array): void {
  for (let channel = 0; channel < channels; channel++) {
    const origin = y * width * channels + channel;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += data[origin + x * channels] as number;
    for (let x = 0; x < width; x++) {
      const enters = x + radius;
      const leaves = x - radius - 1;
      if (enters < width) sum += data[origin + enters * channels] as number;
      if (leaves >= 0) sum -= data[origin + leaves * channels] as number;
      to[origin + x * channels] = sum / (Math.min(enters, width - 1) - Math.max(leaves, -1));
    }
  }
}

/** All columns at once, so that memory is read in its order. */
function meanDown(
  from: Float32Array,
  to: Float32Array,
  rowLength: number,
  height: number,
  radius: number,
): void {
  const sums = new Float64Array(rowLength);
  for (let y = 0; y < Math.min(radius, height); y++) addRow(sums, from, y, 1);
  for (let y = 0; y < height; y++) {
    const enters = y + radius;
    const leaves = y - radius - 1;
    if (enters < height) addRow(sums, from, enters, 1);
    if (leaves >= 0) addRow(sums, from, leaves, -1);
    const count = Math.min(enters, height - 1) - Math.max(leaves, -1);
    const start = y * rowLength;
    for (let at = 0; at < rowLength; at++) to[start + at] = (sums[at] as number) / count;
  }
}

function addRow(sums: Float64Array, from: Float32Array, y: number, sign: 1 | -1): void {
  const start = y * sums.length;
  for (let at = 0; at < sums.length; at++) {
    sums[at] = (sums[at] as number) + sign * (from[start + at] as number);
  }
}
