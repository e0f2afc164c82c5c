import type { Raster } from '../../core/runtime/raster.ts';

/** Plane of a decoded picture. */
export interface SamplePlane {
  readonly samples: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
  /** Place of the first sample. */
  readonly start: number;
  /** Samples from one row to the next. */
  readonly stride: number;
}

/** Decoded picture as luma and two differences, or as green, blue and red. */
export interface YuvPicture {
  readonly width: number;
  readonly height: number;
  /** Bits per sample, 8 to 16. */
  readonly bits: number;
  readonly planes: readonly [luma: SamplePlane, blue: SamplePlane, red: SamplePlane];
  /** Halvings of the differences in each direction, 0 or 1. Odd sides are halved upwards. */
  readonly halvings: { readonly across: number; readonly down: number };
  /** Code of the coefficients, one that `isKnownMatrix` accepts. */
  readonly matrix: number;
  readonly isFullRange: boolean;
}

/** Shares of red and blue in luma by the code of the coefficients: ITU-T H.273, table 4. */
const SHARES: Readonly<Record<number, readonly [red: number, blue: number]>> = {
  1: [0.2126, 0.0722],
  4: [0.3, 0.11],
  5: [0.299, 0.114],
  6: [0.299, 0.114],
  7: [0.212, 0.087],
  9: [0.2627, 0.0593],
};
/** Code of planes that are green, blue and red. */
const IDENTITY = 0;
/** Share that the nearer of two samples has in one between them, a quarter of the way. */
const NEAR = 0.75;

/** Reports whether `yuvToRgba` can apply coefficients, by their code. */
export function isKnownMatrix(matrix: number): boolean {
  return matrix === IDENTITY || Object.hasOwn(SHARES, matrix);
}

/**
 * Converts planes to opaque pixels: ITU-T H.273, 8.3. Halved differences lie between samples of luma, and are
 * interpolated linearly.
 * @param top value of full intensity: 255 for a raster of 8 bits per sample, 65,535 for one of 16
 */
export function yuvToRgba(picture: YuvPicture, top: 255 | 65_535): Raster {
  const { width, height, planes } = picture;
  const [luma, blue, red] = planes;
  const convert = converterOf(picture, top);
  const data = top === 255 ? new Uint8ClampedArray(width * height * 4) : new Uint16Array(width * height * 4);
  const [blues, reds] = [new Float32Array(width), new Float32Array(width)];
  for (let y = 0, to = 0; y < height; y++) {
    readDifferences(blue, picture, y, blues);
    readDifferences(red, picture, y, reds);
    const row = luma.start + y * luma.stride;
    for (let x = 0; x < width; x++, to += 4) {
      convert(luma.samples[row + x], blues[x], reds[x], data, to);
      data[to + 3] = top;
    }
  }
  return { width, height, data: data instanceof Uint16Array ? data : new Uint8Array(data.buffer) };
}

/** Writes red, green and blue of a pixel at a place. */
type Convert = (
  luma: number,
  blue: number,
  red: number,
  data: Uint8ClampedArray | Uint16Array,
  to: number,
) => void;

function converterOf({ bits, matrix, isFullRange }: YuvPicture, top: number): Convert {
  const unit = 2 ** (bits - 8);
  const black = isFullRange ? 0 : 16 * unit;
  const lumaScale = top / (isFullRange ? 2 ** bits - 1 : 219 * unit);
  const sample = (value: number) => Math.min(top, Math.max(0, Math.round(value)));
  const [redShare, blueShare] = SHARES[matrix] ?? [0, 0];
  if (matrix === IDENTITY) {
    return (green, blue, red, data, to) => {
      data[to] = sample((red - black) * lumaScale);
      data[to + 1] = sample((green - black) * lumaScale);
      data[to + 2] = sample((blue - black) * lumaScale);
    };
  }
  const neutral = 128 * unit;
  const differenceScale = top / (isFullRange ? 2 ** bits - 1 : 224 * unit);
  const blueScale = 2 * (1 - blueShare) * differenceScale;
  const redScale = 2 * (1 - redShare) * differenceScale;
  const greenShare = 1 - redShare - blueShare;
  return (luma, blue, red, data, to) => {
    const level = (luma - black) * lumaScale;
    const [blueOver, redOver] = [(blue - neutral) * blueScale, (red - neutral) * redScale];
    data[to] = sample(level + redOver);
    data[to + 1] = sample(level - (blueShare * blueOver + redShare * redOver) / greenShare);
    data[to + 2] = sample(level + blueOver);
  };
}

/** Reads the differences of a row of pixels. */
function readDifferences(
  { samples, start, stride }: SamplePlane,
  { width, height, halvings: { across, down } }: YuvPicture,
  y: number,
  into: Float32Array,
): void {
  const rows = (height + down) >> down;
  const row = start + (y >> down) * stride;
  const other = start + neighbourOf(y, down, rows) * stride;
  const columns = (width + across) >> across;
  const mixed = (column: number) => NEAR * samples[row + column] + (1 - NEAR) * samples[other + column];
  for (let x = 0; x < width; x++) {
    into[x] = NEAR * mixed(x >> across) + (1 - NEAR) * mixed(neighbourOf(x, across, columns));
  }
}

/** Returns the second nearest halved sample of a place; the nearest at an edge, or where nothing is halved. */
function neighbourOf(place: number, halving: number, count: number): number {
  const nearest = place >> halving;
  if (halving === 0) return nearest;
  return Math.min(count - 1, Math.max(0, nearest + (place % 2 === 0 ? -1 : 1)));
}
