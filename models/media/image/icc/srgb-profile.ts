import type { Bytes } from '../../bytes/byte-writer.ts';
import { parametricCurve, writeProfile } from './write-profile.ts';

/** Colorants of sRGB adapted to D50, row by row. */
const TO_XYZ = [
  0.4360747, 0.3850649, 0.1430804, 0.2225045, 0.7168786, 0.0606169, 0.0139322, 0.0971045, 0.7141733,
] as const;
/** g, a, b, c, d of the curve of IEC 61966-2-1, 5.2, as a parametric curve of type 3. */
export const SRGB_CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

/** Writes an sRGB profile (ICC.1:2022, 8.3.3), for colour engines that need the target as a file. */
export function srgbProfile(): Bytes {
  const curve = parametricCurve(SRGB_CURVE);
  return writeProfile({ name: 'sRGB', curves: [curve, curve, curve], toXyz: TO_XYZ });
}
