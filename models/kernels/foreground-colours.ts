import type { FloatImage } from '../raster.ts';
import { boxMean } from './box-mean.ts';

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
  const { width, height } = colours;
  const places = width * height;
  let fused: FloatImage = { width, height, channels: FOREGROUND_CHANNELS, data: twice(colours) };
  radii.forEach((radius, round) => {
    if (round > 0) addDetail(fused.data, colours.data, matte.data);
    const blurred = boxMean(weigh(fused, matte), radius).data;
    const data = new Float32Array(places * FOREGROUND_CHANNELS);
    for (let place = 0; place < places; place++) {
      const from = place * WEIGHTED;
      const to = place * FOREGROUND_CHANNELS;
      const front = (blurred[from + 3] as number) + NEVER_ZERO;
      const back = (blurred[from + 7] as number) + NEVER_ZERO;
      for (let channel = 0; channel < 3; channel++) {
        data[to + channel] = (blurred[from + channel] as number) / front;
        data[to + 3 + channel] = (blurred[from + 4 + channel] as number) / back;
      }
    }
    fused = { ...fused, data };
  });
  return fused;
}

/** The picture as first guess of both. */
function twice({ data }: FloatImage): Float32Array<ArrayBuffer> {
  const both = new Float32Array(data.length * 2);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 6) {
    for (let channel = 0; channel < 3; channel++) {
      both[to + channel] = data[from + channel] as number;
      both[to + 3 + channel] = data[from + channel] as number;
    }
  }
  return both;
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

function weigh(fused: FloatImage, matte: FloatImage): FloatImage {
  const { width, height } = fused;
  const data = new Float32Array(width * height * WEIGHTED);
  for (let place = 0; place < width * height; place++) {
    const alpha = matte.data[place] as number;
    const from = place * FOREGROUND_CHANNELS;
    const to = place * WEIGHTED;
    for (let channel = 0; channel < 3; channel++) {
      data[to + channel] = (fused.data[from + channel] as number) * alpha;
      data[to + 4 + channel] = (fused.data[from + 3 + channel] as number) * (1 - alpha);
    }
    data[to + 3] = alpha;
    data[to + 7] = 1 - alpha;
  }
  return { width, height, channels: WEIGHTED, data };
}
