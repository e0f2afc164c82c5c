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

/** Bounds of a resolution: a bitmap that states 0, and a JFIF that states 1, name none; no printer reaches a million. */
const PIXELS_PER_INCH = { over: 1, max: 1_000_000 };

/** Reports whether both directions of a resolution, in pixels per inch, can be meant. */
export function isPlausibleResolution({ x, y }: { readonly x: number; readonly y: number }): boolean {
  return [x, y].every((each) => each > PIXELS_PER_INCH.over && each < PIXELS_PER_INCH.max);
}
