import { converter } from 'culori';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { field, SIDE, type TiffKind, testColour } from './tiff-kinds.ts';

/** Returns the samples of a pixel, in the units of the file. */
export type TiffSamples = (x: number, y: number) => readonly number[];

export const getWhole =
  (most: number): TiffSamples =>
  (x, y) =>
    testColour(x, y).map((part) => Math.round(part * most));
export const getGrey =
  (most: number): TiffSamples =>
  (x, y) => [Math.round((testColour(x, y)[0] ?? 0) * most)];
const toLab = converter('lab');

/** Returns L*a*b* under D50 as stored: TIFF 6.0, section 23. 16 bits hold 256 steps of a* and b* each. */
function getLab(bits: 8 | 16): TiffSamples {
  const [perLightness, perUnit, most] = bits === 8 ? [2.55, 1, 0xff] : [655.35, 256, 0xffff];
  return (x, y) => {
    const [r, g, b] = testColour(x, y);
    const { l, a, b: yellow } = toLab({ mode: 'rgb', r, g, b });
    return [
      Math.round(l * perLightness),
      Math.round(a * perUnit) & most,
      Math.round(yellow * perUnit) & most,
    ];
  };
}
/** Near black, a step of a* or b* is this many of an 8-bit sample. */
const LAB_STEP = 14;

/** Returns YCbCr of BT.601, full range: TIFF 6.0, section 21. */
export const yCbCr: TiffSamples = (x, y) => {
  const [r, g, b] = testColour(x, y);
  const luma = 0.299 * r + 0.587 * g + 0.114 * b;
  return [luma, 0.5 + (b - luma) / 1.772, 0.5 + (r - luma) / 1.402].map((part, at) =>
    Math.min(255, Math.round(at === 0 ? part * 255 : (part - 0.5) * 254 + 128)),
  );
};
export const withAlpha =
  (colours: TiffSamples, alpha: number): TiffSamples =>
  (x, y) => [...colours(x, y), alpha];
const FULL_COLOUR = [field(530, 3, 1, 1)];

/** Kind of TIFF that libraries read wrong, of the test image. */
export interface ReadableTiff {
  readonly name: string;
  readonly kind: TiffKind;
  readonly samples: TiffSamples;
  /** Whether the test image is there in grey: its red. */
  readonly isGrey?: boolean;
  readonly alpha?: number;
  readonly tolerance?: number;
}

export const READABLE_TIFFS: readonly ReadableTiff[] = [
  { name: '24-bit integer', kind: { bits: 24, photometric: 2 }, samples: getWhole(0xff_ffff) },
  { name: '32-bit integer', kind: { bits: 32, photometric: 2 }, samples: getWhole(0xffff_ffff) },
  {
    name: '32-bit integer in planes',
    kind: { bits: 32, photometric: 2, isPlanar: true },
    samples: getWhole(0xffff_ffff),
  },
  { name: '32-bit grey', kind: { bits: 32, photometric: 1 }, samples: getGrey(0xffff_ffff), isGrey: true },
  { name: '12-bit grey', kind: { bits: 12, photometric: 1 }, samples: getGrey(4095), isGrey: true },
  {
    name: '4-bit grey with alpha',
    kind: { bits: 4, photometric: 1, extraSamples: [2] },
    samples: withAlpha(getGrey(15), 6),
    isGrey: true,
    alpha: 0.4,
    tolerance: 8.5,
  },
  {
    name: '8-bit RGB of an undefined sample format',
    kind: { bits: 8, photometric: 2, sampleFormat: 4 },
    samples: getWhole(255),
  },
  { name: '10-bit RGB', kind: { bits: 10, photometric: 2 }, samples: getWhole(1023) },
  {
    name: '32-bit float',
    kind: { bits: 32, photometric: 2, sampleFormat: 3 },
    samples: (x, y) => testColour(x, y),
  },
  {
    name: '64-bit float',
    kind: { bits: 64, photometric: 2, sampleFormat: 3 },
    samples: (x, y) => testColour(x, y),
  },
  {
    name: '32-bit float with alpha',
    kind: { bits: 32, photometric: 2, sampleFormat: 3, extraSamples: [2] },
    samples: withAlpha((x, y) => testColour(x, y), 0.5),
    alpha: 0.5,
  },
  {
    name: '32-bit integer with premultiplied alpha',
    kind: { bits: 32, photometric: 2, extraSamples: [1] },
    samples: withAlpha(getWhole(0x8000_0000), 0x8000_0000),
    alpha: 0.5,
  },
  { name: 'L*a*b* of 8 bits', kind: { bits: 8, photometric: 8 }, samples: getLab(8), tolerance: LAB_STEP },
  { name: 'L*a*b* of 16 bits', kind: { bits: 16, photometric: 8 }, samples: getLab(16), tolerance: 1 },
  {
    name: 'L*a*b* with alpha',
    kind: { bits: 16, photometric: 8, extraSamples: [2] },
    samples: withAlpha(getLab(16), 0x8000),
    alpha: 0.5,
    tolerance: 1,
  },
  {
    name: 'ICC L*a*b*',
    kind: { bits: 8, photometric: 9 },
    samples: (x, y) => getLab(8)(x, y).map((sample, at) => (at ? sample ^ 0x80 : sample)),
    tolerance: LAB_STEP,
  },
  { name: 'YCbCr', kind: { bits: 8, photometric: 6, fields: FULL_COLOUR }, samples: yCbCr, tolerance: 3 },
  {
    name: 'YCbCr in planes',
    kind: { bits: 8, photometric: 6, isPlanar: true, fields: FULL_COLOUR },
    samples: yCbCr,
    tolerance: 3,
  },
];

/** Returns the largest difference to the test image, in steps of 8 bits. */
export function furthestSample({ data }: Raster, isGrey = false, alpha = 1): number {
  const unit = data instanceof Uint16Array ? 257 : 1;
  let most = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const [red, green, blue] = testColour(x, y);
      const wanted = [...(isGrey ? [red, red, red] : [red, green, blue]), alpha];
      wanted.forEach((part, channel) => {
        const sample = (data[(y * SIDE + x) * 4 + channel] as number) / unit;
        most = Math.max(most, Math.abs(sample - part * 255));
      });
    }
  }
  return most;
}
