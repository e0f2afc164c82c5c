import type { FloatImage } from '../raster.ts';
import { type RowSource, rowsOf } from './row-source.ts';

/**
 * The mean over a square of `2 * radius + 1` places around each place; at the border, over what of it there is. Running
 * sums, so the radius costs nothing.
 */
export function boxMean(image: FloatImage, radius: number): FloatImage {
  const { width, height, channels } = image;
  const rowLength = width * channels;
  const data = new Float32Array(image.data.length);
  boxMeanRows(rowsOf(image), radius, (y, means) => data.set(means, y * rowLength));
  return { width, height, channels, data };
}

/**
 * The same for what is made row by row and used row by row. Memory: `2 * radius + 1` rows.
 * @param use takes the means of row `y`, from the top; they are overwritten afterwards
 */
export function boxMeanRows(
  source: RowSource,
  radius: number,
  use: (y: number, means: Float32Array) => void,
): void {
  const { width, height, channels } = source;
  const length = width * channels;
  const before = (radius + 1) * channels;
  /** A row with nothing on both sides, so that no window needs to ask where the border is. */
  const padded = new Float32Array(before + length + radius * channels);
  const row = padded.subarray(before, before + length);
  const across = new Float64Array(length + channels);
  const shares = sharesOf(width, radius, channels);
  const along = new Float32Array(length);
  const held = Array.from({ length: 2 * radius + 1 }, () => new Float32Array(length));
  const downShares = sharesOf(height, radius, 1);
  const down = new Float64Array(length);
  const means = new Float32Array(length);
  for (let y = 0; y < height + radius; y++) {
    if (y < height) source.read(y, row);
    else row.fill(0);
    startSums(row, radius, across, channels);
    meanAlong(padded, across, shares, along);
    const leaving = held[y % held.length] as Float32Array;
    moveDown(along, leaving, down, downShares[Math.max(0, y - radius)] as number, means);
    leaving.set(along);
    if (y >= radius) use(y - radius, means);
  }
}

/** Every value of a row becomes the mean of its window. @param sums of the window of the place before each */
function meanAlong(padded: Float32Array, sums: Float64Array, shares: Float64Array, to: Float32Array): void {
  const channels = sums.length - to.length;
  const reach = padded.length - to.length;
  for (let at = 0; at < to.length; at++) {
    const sum = (sums[at] as number) + (padded[at + reach] as number) - (padded[at] as number);
    sums[at + channels] = sum;
    to[at] = sum * (shares[at] as number);
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
    const sum = (sums[at] as number) + (enters[at] as number) - (leaves[at] as number);
    sums[at] = sum;
    means[at] = sum * share;
  }
}

/** What the window of the place before the first one holds: the first `radius` places. */
function startSums(row: Float32Array, radius: number, sums: Float64Array, channels: number): void {
  sums.fill(0, 0, channels);
  const end = Math.min(radius * channels, row.length);
  for (let at = 0; at < end; at++) {
    sums[at % channels] = (sums[at % channels] as number) + (row[at] as number);
  }
}

/** For each value of a line, one through the number of places in its window. */
function sharesOf(length: number, radius: number, channels: number): Float64Array {
  const shares = new Float64Array(length * channels);
  for (let place = 0; place < length; place++) {
    const count = Math.min(place + radius, length - 1) - Math.max(place - radius, 0) + 1;
    shares.fill(1 / count, place * channels, (place + 1) * channels);
  }
  return shares;
}
