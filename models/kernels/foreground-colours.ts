import type { FloatImage } from '../raster.ts';
import { boxMeanRows } from './box-mean.ts';
import type { RowSource } from './row-source.ts';

/** Channels of the result: foreground red, green, blue, then background red, green, blue. */
export const FOREGROUND_CHANNELS = 6;

/** Channels of the weighted colours: foreground x matte, matte, background x (1 - matte), 1 - matte. */
const WEIGHTED = 8;
const NEVER_ZERO = 1e-5;

/**
 * What foreground and background look like around each place, without the other: M. Forte, "Approximate Fast Foreground
 * Colour Estimation", ICIP 2021 (blur fusion, twice). A pixel's own foreground colour is
 * `F + alpha * (I - alpha * F - (1 - alpha) * B)`.
 * @param colours the picture, 0 to 1
 * @param matte of the same size, 0 to 1
 * @param radii of the two blurs, in places, the wide one first
 */
export function foregroundColours(
  colours: FloatImage,
  matte: FloatImage,
  radii: readonly [wide: number, near: number],
): FloatImage {
  let fused = twice(colours);
  radii.forEach((radius, round) => {
    if (round > 0) addDetail(fused.data, colours.data, matte.data);
    fused = blurApart(fused, matte, radius);
  });
  return fused;
}

/** Each side's colours around each place, weighted by how much of that side there is. */
function blurApart(fused: FloatImage, matte: FloatImage, radius: number): FloatImage {
  const { width, height, channels } = fused;
  const data = new Float32Array(fused.data.length);
  const weighted = { width, height, channels: WEIGHTED, read: weigh(fused, matte) };
  boxMeanRows(weighted, radius, (y, means) => {
    let to = y * width * FOREGROUND_CHANNELS;
    for (let from = 0; from < means.length; from += WEIGHTED, to += FOREGROUND_CHANNELS) {
      const front = 1 / ((means[from + 3] as number) + NEVER_ZERO);
      const back = 1 / ((means[from + 7] as number) + NEVER_ZERO);
      data[to] = (means[from] as number) * front;
      data[to + 1] = (means[from + 1] as number) * front;
      data[to + 2] = (means[from + 2] as number) * front;
      data[to + 3] = (means[from + 4] as number) * back;
      data[to + 4] = (means[from + 5] as number) * back;
      data[to + 5] = (means[from + 6] as number) * back;
    }
  });
  return { width, height, channels, data };
}

/** The picture as first guess of both. */
function twice({ width, height, data }: FloatImage): FloatImage {
  const both = new Float32Array(data.length * 2);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 6) {
    for (let channel = 0; channel < 3; channel++) {
      both[to + channel] = data[from + channel] as number;
      both[to + 3 + channel] = data[from + channel] as number;
    }
  }
  return { width, height, channels: FOREGROUND_CHANNELS, data: both };
}

/** Brings the picture's own detail into the blurred foreground; the background stays blurred. */
function addDetail(fused: Float32Array, colours: Float32Array, matte: Float32Array): void {
  for (let place = 0; place < matte.length; place++) {
    const alpha = matte[place] as number;
    const at = place * FOREGROUND_CHANNELS;
    for (let channel = 0; channel < 3; channel++) {
      const front = fused[at + channel] as number;
      const seen = colours[place * 3 + channel] as number;
      const expected = alpha * front + (1 - alpha) * (fused[at + 3 + channel] as number);
      fused[at + channel] = Math.min(1, Math.max(0, front + alpha * (seen - expected)));
    }
  }
}

function weigh(fused: FloatImage, matte: FloatImage): RowSource['read'] {
  const { width, data } = fused;
  return (y, row) => {
    let from = y * width * FOREGROUND_CHANNELS;
    for (let place = y * width, to = 0; to < row.length; place++, to += WEIGHTED) {
      const alpha = matte.data[place] as number;
      const rest = 1 - alpha;
      row[to] = (data[from] as number) * alpha;
      row[to + 1] = (data[from + 1] as number) * alpha;
      row[to + 2] = (data[from + 2] as number) * alpha;
      row[to + 3] = alpha;
      row[to + 4] = (data[from + 3] as number) * rest;
      row[to + 5] = (data[from + 4] as number) * rest;
      row[to + 6] = (data[from + 5] as number) * rest;
      row[to + 7] = rest;
      from += FOREGROUND_CHANNELS;
    }
  };
}
