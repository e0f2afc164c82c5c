/** Encoder with its own scale, named by its library and format. */
export type ScaledEncoder = keyof typeof SETTINGS;

/** Smallest step of a constant rate factor that x265 distinguishes. The other scales are whole numbers. */
const RATE_FACTOR_STEP = 0.1;

/** Quality numbers with a setting; those between are interpolated. */
export const QUALITY_NUMBERS = [1, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92, 95, 98, 100];

/**
 * Settings of each encoder for those numbers. Each reaches the SSIM of our JPEG at the number, of luma and of all
 * colours, as a mean over photographs. Made by `npm run calibrate -- --write`; do not edit by hand.
 */
export const SETTINGS = {
  'libvips-webp': [1, 1, 5, 18, 30, 41, 51, 62, 73, 77, 82, 85, 90, 92, 96, 98, 100],
  'libvips-avif': [1, 1, 16, 32, 40, 44, 48, 51, 56, 59, 64, 69, 77, 81, 87, 97, 100],
  'node-x265': [
    51, 50.2, 45.3, 40.8, 38.3, 36.7, 35.4, 34, 32.5, 31.5, 30.1, 28.5, 25.9, 24.6, 21.5, 15.7, 0,
  ],
  'wasm-x265': [51, 50, 44.5, 40, 37.3, 35.9, 34.4, 33.1, 31.6, 30.5, 29.2, 27.6, 24.8, 23.3, 19.9, 14, 0],
};

/**
 * Translates our quality number into an encoder's own setting, so that a number means one visible quality in all
 * formats.
 * @param quality 1 to 100; 100 is the best that the encoder can do
 * @returns 0 to 100, or 51 to 0 for x265
 */
export function encoderSetting(encoder: ScaledEncoder, quality: number): number {
  const points = QUALITY_NUMBERS.map((number, place) => [number, SETTINGS[encoder][place]] as const);
  const setting = interpolate(points, quality);
  const step = encoder.endsWith('x265') ? RATE_FACTOR_STEP : 1;
  return Number((Math.round(setting / step) * step).toFixed(1));
}

/**
 * Interpolates linearly, constant beyond the ends.
 * @param points by rising x, at least one
 */
export function interpolate(points: readonly (readonly [number, number])[], x: number): number {
  const after = points.findIndex(([at]) => at >= x);
  const [x1, y1] = points[after < 0 ? points.length - 1 : after];
  const [x0, y0] = points[Math.max(0, after - 1)];
  return after <= 0 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
