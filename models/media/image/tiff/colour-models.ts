import { D50, XYZ_TO_SRGB } from '../../../kernels/colour/xyz-matrix.ts';
import { toGamma } from '../../../kernels/resize/srgb-curve.ts';
import type { TiffPage } from './page-layout.ts';

const MOST = 65_535;
/** 16-bit samples for one step of 8 bits. */
const BYTE_UNIT = 257;

/**
 * Converts L*a*b* under D50 to sRGB in place: TIFF 6.0, section 23, with signed a* and b*; the ICC encoding of Adobe's
 * TIFF technical notes has them offset.
 */
export function labToSrgb(data: Uint16Array, bits: number, isIcc: boolean): void {
  const unit = bits === 8 ? BYTE_UNIT : 1;
  const perUnit = bits === 8 ? 1 : 256;
  const whole = isIcc && bits === 16 ? 0xff00 : MOST;
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
      data[at + channel] = Math.round(Math.min(1, Math.max(0, toGamma(light))) * MOST);
    }
  }
}

/** CIE 15:2018, 8.2.1, inverted. */
function labToLight(part: number): number {
  return part > 6 / 29 ? part ** 3 : (part - 4 / 29) * 3 * (6 / 29) ** 2;
}

/** Converts YCbCr of 8 bits, scaled to 16, to RGB in place: TIFF 6.0, section 21. */
export function yCbCrToRgb(data: Uint16Array, { luma, blackWhite }: TiffPage['yCbCr']): void {
  const [lumaRed, lumaBlue] = luma;
  const [black = 0, white = 255, blueBlack = 128, blueWhite = 255, redBlack = 128, redWhite = 255] =
    blackWhite;
  for (let at = 0; at < data.length; at += 4) {
    const [first = 0, second = 0, third = 0] = data.subarray(at, at + 3);
    const y = ((first / BYTE_UNIT - black) * 255) / (white - black);
    const cb = ((second / BYTE_UNIT - blueBlack) * 127) / (blueWhite - blueBlack);
    const cr = ((third / BYTE_UNIT - redBlack) * 127) / (redWhite - redBlack);
    const red = y + cr * (2 - 2 * lumaRed);
    const blue = y + cb * (2 - 2 * lumaBlue);
    const green = (y - lumaBlue * blue - lumaRed * red) / (1 - lumaRed - lumaBlue);
    [red, green, blue].forEach((part, channel) => {
      data[at + channel] = Math.round(Math.min(255, Math.max(0, part)) * BYTE_UNIT);
    });
  }
}
