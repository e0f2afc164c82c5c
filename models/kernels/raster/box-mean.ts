import type { FloatImage } from '../../core/runtime/raster.ts';
import { getRows, type RowSource } from './picture.ts';

/**
 * Computes the mean over a square of `2 * radius + 1` pixels around each pixel, clipped at the border. Running sums
 * make the cost independent of the radius.
 */
export function boxMean(image: FloatImage, radius: number): FloatImage {
  const { width, height, channels } = image;
  const rowLength = width * channels;
  const data = new Float32Array(image.data.length);
  boxMeanRows(getRows(image), radius, (y, means) => data.set(means, y * rowLength));
  return { width, height, channels, data };
}

/**
 * Computes box means for rows that are produced and consumed in order. Memory: `2 * radius + 1` rows.
 * @param use receives the means of row `y`, from the top; they are overwritten afterwards
 */
export function boxMeanRows(
  source: RowSource,
  radius: number,
  use: (y: number, means: Float32Array) => void,
): void {
  const { width, height, channels } = source;
  const length = width * channels;
  const before = (radius + 1) * channels;
  /** Pads a row with zeros on both sides, so that no window needs a bounds check. */
  const padded = new Float32Array(before + length + radius * channels);
  const row = padded.subarray(before, before + length);
  const across = new Float64Array(length + channels);
  const shares = getShares(width, radius, channels);
  const along = new Float32Array(length);
  const held = Array.from({ length: 2 * radius + 1 }, () => new Float32Array(length));
  const downShares = getShares(height, radius, 1);
  const down = new Float64Array(length);
  const means = new Float32Array(length);
  for (let y = 0; y < height + radius; y++) {
    if (y < height) source.read(y, row);
    else row.fill(0);
    startSums(row, radius, across, channels);
    meanAlong(padded, across, shares, along);
    const leaving = held[y % held.length];
    moveDown(along, leaving, down, downShares[Math.max(0, y - radius)], means);
    leaving.set(along);
    if (y >= radius) use(y - radius, means);
  }
}

/**
 * Replaces each value of a row by the mean of its window.
 * @param sums of the window one pixel before each
 */
function meanAlong(padded: Float32Array, sums: Float64Array, shares: Float64Array, to: Float32Array): void {
  const channels = sums.length - to.length;
  const reach = padded.length - to.length;
  for (let at = 0; at < to.length; at++) {
    const sum = sums[at] + padded[at + reach] - padded[at];
    sums[at + channels] = sum;
    to[at] = sum * shares[at];
  }
}

/** Moves the window down by one row. */
function moveDown(
  enters: Float32Array,
  leaves: Float32Array,
  sums: Float64Array,
  share: number,
  means: Float32Array,
): void {
  for (let at = 0; at < means.length; at++) {
    const sum = sums[at] + enters[at] - leaves[at];
    sums[at] = sum;
    means[at] = sum * share;
  }
}

/** Sums the window before the first pixel: the first `radius` pixels. */
function startSums(row: Float32Array, radius: number, sums: Float64Array, channels: number): void {
  sums.fill(0, 0, channels);
  const end = Math.min(radius * channels, row.length);
  for (let at = 0; at < end; at++) {
    sums[at % channels] = sums[at % channels] + row[at];
  }
}

/** Returns, for each value of a line, the reciprocal of its window's pixel count. */
function getShares(length: number, radius: number, channels: number): Float64Array {
  const shares = new Float64Array(length * channels);
  for (let pixel = 0; pixel < length; pixel++) {
    const count = Math.min(pixel + radius, length - 1) - Math.max(pixel - radius, 0) + 1;
    shares.fill(1 / count, pixel * channels, (pixel + 1) * channels);
  }
  return shares;
}
