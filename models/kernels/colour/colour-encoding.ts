import type { Chromaticities, Chromaticity } from './xyz-matrix.ts';

/** Maps an encoded sample, 0 to 1, to light, 0 to 1. */
export type LightCurve = (encoded: number) => number;

/**
 * Transfer of samples: `srgb` (IEC 61966-2-1), a power of the sample, any other curve by its formula, or one of the two
 * of high dynamic range (ITU-R BT.2100), whose light exceeds that of white.
 */
export type Transfer =
  | { readonly kind: 'srgb' | 'pq' | 'hlg' }
  | { readonly kind: 'power'; readonly exponent: number }
  | {
      readonly kind: 'curves';
      readonly curves: readonly [red: LightCurve, green: LightCurve, blue: LightCurve];
    };

/** Meaning of the samples of a file, as it states outside of an ICC profile. */
export interface ColourEncoding {
  readonly primaries: Chromaticities;
  readonly transfer: Transfer;
  /** Whether samples reach from 16/255 to 235/255 only: ITU-T H.273, 8.3, VideoFullRangeFlag 0. */
  readonly isNarrow?: boolean;
}

const D65: Chromaticity = [0.3127, 0.329];
const ILLUMINANT_C: Chromaticity = [0.31, 0.316];

export const SRGB_PRIMARIES: Chromaticities = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
};
const SMPTE_C: Chromaticities = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 };

/** Primaries by their code: ITU-T H.273, table 2. */
const PRIMARIES: Readonly<Record<number, Chromaticities>> = {
  1: SRGB_PRIMARIES,
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: ILLUMINANT_C },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 },
  6: SMPTE_C,
  7: SMPTE_C,
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: ILLUMINANT_C },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
  10: { red: [1, 0], green: [0, 1], blue: [0, 0], white: [1 / 3, 1 / 3] },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 },
};

/**
 * Transfers by their code: ITU-T H.273, table 3. The curves of cameras (1, 6, 7, 11, 12, 14, 15: BT.709 and its
 * siblings) count as sRGB, as in browsers: a screen shows them with a curve close to that, not with their inverse.
 */
const TRANSFERS: Readonly<Record<number, Transfer>> = {
  4: { kind: 'power', exponent: 2.2 },
  5: { kind: 'power', exponent: 2.8 },
  8: { kind: 'power', exponent: 1 },
  9: sameCurves((sample) => (sample > 0 ? 10 ** (2 * (sample - 1)) : 0)),
  10: sameCurves((sample) => (sample > 0 ? 10 ** (2.5 * (sample - 1)) : 0)),
  16: { kind: 'pq' },
  17: sameCurves((sample) => Math.min(1, (52.37 / 48) * sample ** 2.6)),
  18: { kind: 'hlg' },
};

export const SRGB_TRANSFER: Transfer = { kind: 'srgb' };

function sameCurves(curve: LightCurve): Transfer {
  return { kind: 'curves', curves: [curve, curve, curve] };
}

/** Coding-independent code points: ITU-T H.273. */
export interface CodePoints {
  readonly primaries: number;
  readonly transfer: number;
  readonly isNarrow?: boolean;
}

const UNSPECIFIED = 2;

/**
 * Returns the encoding that code points name; an unspecified or reserved one counts as that of sRGB.
 * @returns null when both are unspecified
 */
export function encodingOf({ primaries, transfer, isNarrow = false }: CodePoints): ColourEncoding | null {
  if (primaries === UNSPECIFIED && transfer === UNSPECIFIED) return null;
  return {
    primaries: PRIMARIES[primaries] ?? SRGB_PRIMARIES,
    transfer: TRANSFERS[transfer] ?? SRGB_TRANSFER,
    isNarrow,
  };
}

/** Reports whether an encoding is that of sRGB, which needs no conversion. */
export function isSrgb({ primaries, transfer, isNarrow }: ColourEncoding): boolean {
  return transfer.kind === 'srgb' && !isNarrow && areClose(primaries, SRGB_PRIMARIES);
}

/** Reports whether light exceeds that of white, so that a profile cannot describe the samples. */
export function isHighDynamicRange({ transfer }: ColourEncoding): boolean {
  return transfer.kind === 'pq' || transfer.kind === 'hlg';
}

/** Files round chromaticities in many ways. */
const TOLERANCE = 0.002;

/** Reports whether two sets of primaries agree but for rounding. */
export function areClose(left: Chromaticities, right: Chromaticities): boolean {
  return (['red', 'green', 'blue', 'white'] as const).every((name) =>
    left[name].every((part, at) => Math.abs(part - right[name][at]) <= TOLERANCE),
  );
}

/** Least and greatest sample of a narrow range, of 8 bits: ITU-T H.273, 8.3. */
const NARROW_FROM = 16 / 255;
const NARROW_TO = 235 / 255;

/** Maps a sample of the narrow range to 0 to 1. */
export function fullRange(sample: number): number {
  return Math.min(1, Math.max(0, (sample - NARROW_FROM) / (NARROW_TO - NARROW_FROM)));
}
