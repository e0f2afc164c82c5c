import { D50, type Matrix } from '../../../kernels/colour/xyz-matrix.ts';
import { ascii, type Bytes, concat, u16, u32 } from '../../bytes/byte-writer.ts';
import type { ToneCurve } from './read-profile.ts';

/** Colorants of sRGB adapted to D50, row by row. */
const TO_XYZ = [
  0.4360747, 0.3850649, 0.1430804, 0.2225045, 0.7168786, 0.0606169, 0.0139322, 0.0971045, 0.7141733,
] as const;

/** g, a, b, c, d of the curve of IEC 61966-2-1, 5.2, as a parametric curve of type 3. */
export const SRGB_CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

/** Content of a profile of three curves and a matrix, or of one curve for grey. */
export interface ProfileContent {
  /** Letters of ASCII. */
  readonly name: string;
  /** One curve for grey, three for red, green and blue, from `parametricCurve` or `sampledCurve`. */
  readonly curves: readonly Bytes[];
  /** Matrix from linear samples to CIE XYZ under D50; grey needs none. */
  readonly toXyz: Matrix;
}

const HEAD_BYTES = 128;
const CURVE_POINTS = 4096;
const GREY_TAGS = ['kTRC'];
const CURVE_TAGS = ['rTRC', 'gTRC', 'bTRC'];
const COLORANT_TAGS = ['rXYZ', 'gXYZ', 'bXYZ'];

/** Writes an ICC profile: ICC.1:2022, 8.3.3 (three components) or 8.3.4 (grey). */
export function writeProfile({ name, curves, toXyz }: ProfileContent): Bytes {
  const isGrey = curves.length === 1;
  const colorants = COLORANT_TAGS.map(
    (tag, column) => [tag, xyz([0, 3, 6].map((row) => toXyz[row + column] ?? 0))] as const,
  );
  const tags = [
    ['desc', localised(name)] as const,
    ['cprt', localised('No copyright')] as const,
    ['wtpt', xyz(D50)] as const,
    ...(isGrey ? [] : colorants),
    ...(isGrey ? GREY_TAGS : CURVE_TAGS).map((tag, at) => [tag, curves[at] ?? new Uint8Array(0)] as const),
  ];
  let offset = HEAD_BYTES + 4 + tags.length * 12;
  const table = tags.map(([tag, body]) => {
    const entry = concat([ascii(tag), u32(offset, body.length)]);
    offset += body.length;
    return entry;
  });
  return concat([
    head(offset, isGrey ? 'GRAY' : 'RGB '),
    u32(tags.length),
    ...table,
    ...tags.map(([, body]) => body),
  ]);
}

/**
 * Writes a parametric curve: ICC.1:2022, 10.18.
 * @param parameters g for a power of type 0; g, a, b, c, d for type 3
 */
export function parametricCurve(parameters: readonly number[]): Bytes {
  return concat([ascii('para'), u32(0), u16(parameters.length === 1 ? 0 : 3, 0), fixed16(parameters)]);
}

/** Writes a sampled curve: ICC.1:2022, 10.6. */
export function sampledCurve(curve: ToneCurve): Bytes {
  const points = Array.from({ length: CURVE_POINTS }, (_, at) => {
    const light = Math.min(1, Math.max(0, curve(at / (CURVE_POINTS - 1))));
    return Math.round(light * 65_535);
  });
  return concat([ascii('curv'), u32(0, CURVE_POINTS), u16(...points)]);
}

/** Writes the header: ICC.1:2022, 7.2. */
function head(bytesTotal: number, space: 'RGB ' | 'GRAY'): Bytes {
  return concat([
    u32(bytesTotal, 0, 0x04000000),
    ascii(`mntr${space}XYZ `),
    u16(2026, 1, 1, 0, 0, 0),
    ascii('acsp'),
    u32(0, 0, 0, 0, 0, 0, 0),
    fixed16(D50),
    new Uint8Array(48),
  ]);
}

function xyz(parts: readonly number[]): Bytes {
  return concat([ascii('XYZ '), u32(0), fixed16(parts)]);
}

/** Writes a multiLocalizedUnicodeType with one English record, padded to 4 bytes: ICC.1:2022, 10.15. */
function localised(text: string): Bytes {
  const wide = concat([...text].map((letter) => u16(letter.charCodeAt(0))));
  const padding = new Uint8Array(wide.length % 4);
  return concat([ascii('mluc'), u32(0, 1, 12), ascii('enUS'), u32(wide.length, 28), wide, padding]);
}

function fixed16(numbers: readonly number[]): Bytes {
  return u32(...numbers.map((number) => Math.round(number * 65_536)));
}

/** Writes an sRGB profile (ICC.1:2022, 8.3.3), for colour engines that need the target as a file. */
export function srgbProfile(): Bytes {
  const curve = parametricCurve(SRGB_CURVE);
  return writeProfile({ name: 'sRGB', curves: [curve, curve, curve], toXyz: TO_XYZ });
}
