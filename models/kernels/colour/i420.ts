import type { Raster8 } from '../../core/runtime/raster.ts';

/** Rows from which on untagged video is taken as BT.709, below as BT.601: as browsers take it. */
export const HIGH_DEFINITION_ROWS = 720;

/** Encoding of colours as luma and two differences; weights are in 2^16ths of a step. */
interface YccEncoding {
  readonly luma: Weights;
  readonly blueDifference: Weights;
  readonly redDifference: Weights;
  /** Luma of black. */
  readonly black: number;
}

/** ITU-R BT.709-6, 3.3 and 4, limited range: for videos. */
const VIDEO_ENCODING: YccEncoding = {
  luma: getWeights(219, [0.2126, 0.7152, 0.0722]),
  blueDifference: getWeights(224, [-0.2126 / 1.8556, -0.7152 / 1.8556, 0.5]),
  redDifference: getWeights(224, [0.5, -0.7152 / 1.5748, -0.0722 / 1.5748]),
  black: 16,
};

/** ITU-R BT.601-7, 2.5, in the full range of ITU-T T.871: for images. Grey has neutral differences exactly. */
export const IMAGE_ENCODING: YccEncoding = {
  luma: getWeights(255, [0.299, 0.587, 0.114]),
  blueDifference: getWeights(255, [-0.299 / 1.772, -0.587 / 1.772, 0.5]),
  redDifference: getWeights(255, [0.5, -0.587 / 1.402, -0.114 / 1.402]),
  black: 0,
};

const NEUTRAL = 128;

interface Weights {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** Colour description of the planes of `toI420`, unless another encoding is named. */
export const I420_COLOURS = {
  primaries: 'bt709',
  transfer: 'bt709',
  matrix: 'bt709',
  fullRange: false,
} as const;

/**
 * Converts a raster's colours to planes of luma and two of half-size chroma. Ignores alpha.
 * @returns luma, blue difference, red difference, in sequence, without padding; odd sides are halved upwards
 */
export function toI420(
  { width, height, data }: Raster8,
  { luma, blueDifference, redDifference, black }: YccEncoding = VIDEO_ENCODING,
): Uint8Array<ArrayBuffer> {
  const planes = emptyI420(width, height);
  for (let pixel = 0, at = 0; pixel < width * height; pixel++, at += 4) {
    const value = weigh(luma, data[at], data[at + 1], data[at + 2]);
    planes[pixel] = black + ((value + (1 << 15)) >> 16);
  }
  const chroma = Math.ceil(width / 2) * Math.ceil(height / 2);
  for (let y = 0, to = width * height; y < height; y += 2) {
    const below = y + 1 < height ? width * 4 : 0;
    for (let x = 0; x < width; x += 2, to++) {
      const at = (y * width + x) * 4;
      const right = x + 1 < width ? 4 : 0;
      const red = sumOfFour(data, at, right, below);
      const green = sumOfFour(data, at + 1, right, below);
      const blue = sumOfFour(data, at + 2, right, below);
      planes[to] = getDifference(weigh(blueDifference, red, green, blue));
      planes[to + chroma] = getDifference(weigh(redDifference, red, green, blue));
    }
  }
  return planes;
}

/** Returns a sample of a difference from the weighed sum of four pixels. In full range, pure colours round to 256. */
function getDifference(weighed: number): number {
  return Math.min(255, NEUTRAL + ((weighed + (1 << 17)) >> 18));
}

/** Converts a raster's alpha to full-range luma without colour: VP9 stores alpha this way. */
export function alphaToI420({ width, height, data }: Raster8): Uint8Array<ArrayBuffer> {
  const planes = emptyI420(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) planes[pixel] = data[pixel * 4 + 3];
  return planes;
}

function emptyI420(width: number, height: number): Uint8Array<ArrayBuffer> {
  const chroma = Math.ceil(width / 2) * Math.ceil(height / 2);
  return new Uint8Array(width * height + chroma * 2).fill(NEUTRAL);
}

function sumOfFour(data: Uint8Array, at: number, right: number, below: number): number {
  const above = data[at] + data[at + right];
  return above + data[at + below] + data[at + below + right];
}

function weigh(by: Weights, red: number, green: number, blue: number): number {
  return by.red * red + by.green * green + by.blue * blue;
}

function getWeights(steps: number, [red, green, blue]: readonly [number, number, number]): Weights {
  const scaled = (share: number) => Math.round((share * steps * 65_536) / 255);
  return { red: scaled(red), green: scaled(green), blue: scaled(blue) };
}
