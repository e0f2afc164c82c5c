/** Fields of a print resolution: TIFF 6.0, section 3. EXIF has the same. */
export const X_RESOLUTION = 282;
export const Y_RESOLUTION = 283;
export const RESOLUTION_UNIT = 296;
/** Values of the unit besides 1, which stands for none. */
export const INCH = 2;
export const CENTIMETRE = 3;

/** Parts of a pixel per inch that a resolution keeps. */
const PRECISION = 10_000;

/** Returns the two numbers of a RATIONAL for a resolution. */
export function resolutionRational(pixelsPerInch: number): readonly [numerator: number, denominator: number] {
  return Number.isInteger(pixelsPerInch)
    ? [pixelsPerInch, 1]
    : [Math.round(pixelsPerInch * PRECISION), PRECISION];
}
