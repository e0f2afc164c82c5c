const METRES_PER_INCH = 0.0254;
export const CENTIMETRES_PER_INCH = 2.54;

/** Converts pixels per inch to whole pixels per metre, as PNG and BMP state a print resolution. */
export function perMetreOf(pixelsPerInch: number): number {
  return Math.round(pixelsPerInch / METRES_PER_INCH);
}

/** Converts pixels per metre. Whole pixels per inch become that again: 11811 stands for 300, not for 299.9994. */
export function perInchOf(pixelsPerMetre: number): number {
  const value = pixelsPerMetre * METRES_PER_INCH;
  const whole = Math.round(value);
  return perMetreOf(whole) === pixelsPerMetre ? whole : value;
}
