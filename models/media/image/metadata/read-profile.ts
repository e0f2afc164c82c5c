import { D50, isBoundedMatrix, toLinear } from '../../../kernels/colour/xyz-matrix.ts';
import { readFourCc } from '../../bytes/text.ts';

/** Tone curve: maps an encoded sample, 0 to 1, to light, 0 to 1. */
export type ToneCurve = (encoded: number) => number;

/** Profile of three curves and a matrix (or one curve, for grey): ICC.1:2022, F.3 and F.2. */
export interface MatrixProfile {
  readonly curves: readonly [red: ToneCurve, green: ToneCurve, blue: ToneCurve];
  /** Matrix from linear samples to CIE XYZ under D50, row by row. */
  readonly toXyz: readonly number[];
}

const TAG_TABLE = 128;
const TAGS_MAX = 200;

/** Data colour space: `RGB `, `GRAY`, `CMYK`, ... ICC.1:2022, 7.2.8. */
export function profileSpace(icc: Uint8Array): string {
  return String.fromCharCode(...icc.subarray(16, 20));
}

/**
 * Reads a matrix profile.
 * @returns null when it is damaged or of another kind: one with tables has them for a reason
 */
export function readMatrixProfile(icc: Uint8Array): MatrixProfile | null {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  try {
    const tags = readTags(view);
    if (tags.has('A2B0')) return null;
    return profileSpace(icc) === 'GRAY' ? greyProfile(view, tags) : rgbProfile(view, tags);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Sample at which curves are compared: the first step of a table with 33 points. */
const DARK = 1 / 32;
/** Factor of light there from which a curve is far from that of a screen. */
const BRIGHTER = 3;

/**
 * Reports whether dark samples mean much more light than in sRGB, as linear ones do. Colour engines that join profiles
 * of 16 bits into a table of few points are far off there.
 */
export function isLinearInShadows({ curves }: MatrixProfile): boolean {
  return curves.some((curve) => curve(DARK) > BRIGHTER * toLinear(DARK));
}

function readTags(view: DataView): Map<string, number> {
  const tags = new Map<string, number>();
  const count = Math.min(TAGS_MAX, view.getUint32(TAG_TABLE));
  for (let index = 0; index < count; index++) {
    const at = TAG_TABLE + 4 + index * 12;
    tags.set(readFourCc(view, at), view.getUint32(at + 4));
  }
  return tags;
}

function rgbProfile(view: DataView, tags: Map<string, number>): MatrixProfile | null {
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((tag) => readCurve(view, tags.get(tag)));
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => readXyz(view, tags.get(tag)));
  const [red, green, blue] = curves;
  if (!red || !green || !blue || columns.includes(null)) return null;
  const toXyz = [0, 1, 2].flatMap((row) => columns.map((column) => column?.[row] ?? 0));
  return isBoundedMatrix(toXyz) ? { curves: [red, green, blue], toXyz } : null;
}

/**
 * Builds a matrix profile for grey: equal red, green and blue, so that they pass through a matrix whose rows each sum
 * to D50.
 */
function greyProfile(view: DataView, tags: Map<string, number>): MatrixProfile | null {
  const curve = readCurve(view, tags.get('kTRC'));
  return (
    curve && { curves: [curve, curve, curve], toXyz: D50.flatMap((part) => [part / 3, part / 3, part / 3]) }
  );
}

function readXyz(view: DataView, at: number | undefined): number[] | null {
  if (at === undefined || readFourCc(view, at) !== 'XYZ ') return null;
  return [8, 12, 16].map((offset) => fixed16(view, at + offset));
}

function readCurve(view: DataView, at: number | undefined): ToneCurve | null {
  if (at === undefined) return null;
  const type = readFourCc(view, at);
  if (type === 'curv') return sampledCurve(view, at);
  return type === 'para' ? parametricCurve(view, at) : null;
}

/** Reads a sampled curve: ICC.1:2022, 10.6. */
function sampledCurve(view: DataView, at: number): ToneCurve {
  const count = view.getUint32(at + 8);
  if (count === 0) return (x) => x;
  if (count === 1) {
    const gamma = view.getUint16(at + 12) / 256;
    return (x) => x ** gamma;
  }
  if (at + 12 + count * 2 > view.byteLength) throw new RangeError('The curve is cut off.');
  const points = new Float64Array(count).map((_, index) => view.getUint16(at + 12 + index * 2) / 65535);
  return (x) => {
    const place = x * (count - 1);
    const below = Math.min(count - 2, Math.floor(place));
    const from = points[below];
    return from + (points[below + 1] - from) * (place - below);
  };
}

/** Reads a parametric curve: ICC.1:2022, 10.18, table 68. */
function parametricCurve(view: DataView, at: number): ToneCurve | null {
  const kind = view.getUint16(at + 8);
  const counts = [1, 3, 4, 5, 7];
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: counts[kind] ?? 0 },
    (_, index) => fixed16(view, at + 12 + index * 4),
  );
  const power = (x: number) => Math.max(0, a * x + b) ** g;
  switch (kind) {
    case 0:
      return (x) => x ** g;
    case 1:
      return (x) => (x >= -b / a ? power(x) : 0);
    case 2:
      return (x) => (x >= -b / a ? power(x) + c : c);
    case 3:
      return (x) => (x >= d ? power(x) : c * x);
    case 4:
      return (x) => (x >= d ? power(x) + e : c * x + f);
    default:
      return null;
  }
}

/** Reads an s15Fixed16Number: ICC.1:2022, 4.6. */
function fixed16(view: DataView, at: number): number {
  return view.getInt32(at) / 65536;
}
