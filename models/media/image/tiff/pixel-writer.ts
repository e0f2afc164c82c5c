import { OperationError } from '../../../core/operation/errors.ts';
import { D50, toGamma, XYZ_TO_SRGB } from '../../../kernels/colour/xyz-matrix.ts';
import { divideByAlpha } from '../../../kernels/raster/pixel-format.ts';
import {
  alphaChannel,
  type DecodedPage,
  PHOTOMETRIC,
  PREMULTIPLIED,
  SAMPLE_FORMAT,
  type TiffPage,
} from './page-layout.ts';

const SAMPLE_MAX = 65_535;
/** 16-bit samples for one step of 8 bits. */
const BYTE_UNIT = 257;
const MOST = 65_535;
/** Rounding of programs that computed the samples. */
const TOLERANCE = 1e-4;

/** Row of a strip or tile: one channel of a planar page, or all. */
interface SampleRow {
  readonly samples: Float64Array;
  readonly channels: number;
  readonly plane: number;
  readonly left: number;
  readonly y: number;
}

type Samples = DecodedPage['data'];

/** Collects rows of samples as RGBA. */
export interface PixelWriter {
  writeRow(row: SampleRow): void;
  /** @throws OperationError `unprocessable` when floating-point samples lie outside 0 to 1 */
  finish(): DecodedPage;
}

/**
 * @param page of unsigned or floating-point samples, or L*a*b*
 * @param depth bits per sample of the result; 8 only where `isShallow` says so
 */
export function createPixelWriter(page: TiffPage, depth: 8 | 16): PixelWriter {
  const { width, height, bits, sampleFormat, photometric, extraSamples } = page;
  const { iccLab, whiteIsZero, yCbCr } = PHOTOMETRIC;
  const colours = colourChannels(page);
  const alpha = alphaChannel(page, colours);
  const isFloat = sampleFormat === SAMPLE_FORMAT.float;
  const most = depth === 8 ? 0xff : MOST;
  const scale = isFloat ? 1 : 1 / (2 ** bits - 1);
  const data = new (depth === 8 ? Uint8Array : Uint16Array)(width * height * 4).fill(most);
  const reach = { least: 0, most: 1 };
  return {
    writeRow({ samples, channels, plane, left, y }) {
      const columns = Math.min(samples.length / channels, width - left);
      for (let channel = 0; channel < channels; channel++) {
        // Grey stands in the place of red until all rows are there.
        const place = plane + channel === alpha ? 3 : plane + channel;
        if (plane + channel >= colours && plane + channel !== alpha) continue;
        let to = (y * width + left) * 4 + place;
        for (let x = 0; x < columns; x++, to += 4) {
          const sample = samples[x * channels + channel];
          if (isFloat) widen(reach, sample);
          data[to] = Math.round(Math.min(1, Math.max(0, sample * scale)) * most);
        }
      }
    },
    finish() {
      if (!(reach.least >= -TOLERANCE && reach.most <= 1 + TOLERANCE)) throw outOfRange(reach);
      if (colours === 1) spreadGrey(data, photometric === whiteIsZero, most);
      if (alpha !== undefined && extraSamples[alpha - colours] === PREMULTIPLIED) divideByAlpha({ data });
      if (photometric === yCbCr) yCbCrToRgb(data, page.yCbCr, most / 0xff);
      if (isLab(page)) labToSrgb(data, bits, photometric === iccLab);
      return { width, height, data, hasAlpha: alpha !== undefined };
    },
  };
}

/** Reports whether 8 bits hold the samples of a page. */
export function isShallow({ bits, sampleFormat, ...page }: TiffPage): boolean {
  return bits <= 8 && sampleFormat !== SAMPLE_FORMAT.float && !isLab(page);
}

/** Reports whether a page has alpha. */
export function hasAlphaChannel(page: TiffPage): boolean {
  return alphaChannel(page, colourChannels(page)) !== undefined;
}

export function isLab({ photometric }: Pick<TiffPage, 'photometric'>): boolean {
  return photometric === PHOTOMETRIC.cieLab || photometric === PHOTOMETRIC.iccLab;
}

function colourChannels({ photometric }: TiffPage): number {
  return photometric === PHOTOMETRIC.blackIsZero || photometric === PHOTOMETRIC.whiteIsZero ? 1 : 3;
}

function widen(reach: { least: number; most: number }, sample: number): void {
  if (sample < reach.least) reach.least = sample;
  // What is no number lies nowhere.
  if (!(sample <= reach.most)) reach.most = Number.isNaN(sample) ? Number.POSITIVE_INFINITY : sample;
}

function spreadGrey(data: Samples, isInverted: boolean, most: number): void {
  for (let at = 0; at < data.length; at += 4) {
    const grey = isInverted ? most - data[at] : data[at];
    data.fill(grey, at, at + 3);
  }
}

function outOfRange({ least, most }: { least: number; most: number }): OperationError {
  const round = (sample: number) => Number(sample.toPrecision(4));
  return new OperationError(
    'unprocessable',
    `The image is a TIFF of floating-point samples from ${round(least)} to ${round(most)}: only 0 to 1 has a meaning as a colour. Scale them first.`,
  );
}

/**
 * Converts L*a*b* under D50 to sRGB in place: TIFF 6.0, section 23, with signed a* and b*; the ICC encoding of Adobe's
 * TIFF technical notes has them offset.
 */
function labToSrgb(data: Samples, bits: number, isIcc: boolean): void {
  const unit = bits === 8 ? BYTE_UNIT : 1;
  const perUnit = bits === 8 ? 1 : 256;
  const whole = isIcc && bits === 16 ? 0xff00 : SAMPLE_MAX;
  const chroma = (sample: number) => {
    const stored = sample / unit;
    const half = 2 ** (bits - 1);
    return (isIcc ? stored - half : stored >= half ? stored - 2 * half : stored) / perUnit;
  };
  for (let at = 0; at < data.length; at += 4) {
    const lightness = Math.min(100, (data[at] / whole) * 100);
    const fy = (lightness + 16) / 116;
    const fx = fy + chroma(data[at + 1]) / 500;
    const fz = fy - chroma(data[at + 2]) / 200;
    const xyz = [fx, fy, fz].map((part, index) => labToLight(part) * (D50[index] ?? 1));
    for (let channel = 0; channel < 3; channel++) {
      const light = xyz.reduce((sum, part, index) => sum + part * (XYZ_TO_SRGB[channel * 3 + index] ?? 0), 0);
      data[at + channel] = Math.round(Math.min(1, Math.max(0, toGamma(light))) * SAMPLE_MAX);
    }
  }
}

/** CIE 15:2018, 8.2.1, inverted. */
function labToLight(part: number): number {
  return part > 6 / 29 ? part ** 3 : (part - 4 / 29) * 3 * (6 / 29) ** 2;
}

/** Converts YCbCr of 8 bits, each scaled by `unit`, to RGB in place: TIFF 6.0, section 21. */
function yCbCrToRgb(data: Samples, { luma, blackWhite }: TiffPage['yCbCr'], unit: number): void {
  const [lumaRed, lumaBlue] = luma;
  const [black = 0, white = 255, blueBlack = 128, blueWhite = 255, redBlack = 128, redWhite = 255] =
    blackWhite;
  for (let at = 0; at < data.length; at += 4) {
    const [first = 0, second = 0, third = 0] = data.subarray(at, at + 3);
    const y = ((first / unit - black) * 255) / (white - black);
    const cb = ((second / unit - blueBlack) * 127) / (blueWhite - blueBlack);
    const cr = ((third / unit - redBlack) * 127) / (redWhite - redBlack);
    const red = y + cr * (2 - 2 * lumaRed);
    const blue = y + cb * (2 - 2 * lumaBlue);
    const green = (y - lumaBlue * blue - lumaRed * red) / (1 - lumaRed - lumaBlue);
    [red, green, blue].forEach((part, channel) => {
      data[at + channel] = Math.round(Math.min(255, Math.max(0, part)) * unit);
    });
  }
}
