/** Encoder with its own scale, named by its library and format. */
export type ScaledEncoder = keyof typeof QUALITY_TABLES;

/** Smallest step of a constant rate factor that x265 distinguishes. The other scales are whole numbers. */
const RATE_FACTOR_STEP = 0.1;

/**
 * Settings of each encoder for our quality numbers, as points [number, setting]. Each setting reaches the SSIM of
 * our JPEG at the number, of luma and of all colours, as a mean over photographs. Made by
 * `npm run calibrate -- --write`; do not edit by hand.
 */
export const QUALITY_TABLES = {
  'libvips-webp': [
    [1, 1],
    [5, 1],
    [10, 5],
    [20, 18],
    [30, 30],
    [40, 41],
    [50, 51],
    [60, 62],
    [70, 73],
    [75, 77],
    [80, 82],
    [85, 85],
    [90, 90],
    [92, 92],
    [95, 96],
    [98, 98],
    [100, 100],
  ],
  'libvips-avif': [
    [1, 1],
    [5, 1],
    [10, 16],
    [20, 32],
    [30, 40],
    [40, 44],
    [50, 48],
    [60, 51],
    [70, 56],
    [75, 59],
    [80, 64],
    [85, 69],
    [90, 77],
    [92, 81],
    [95, 87],
    [98, 97],
    [100, 100],
  ],
  'node-x265': [
    [1, 51],
    [5, 50.2],
    [10, 45.3],
    [20, 40.8],
    [30, 38.3],
    [40, 36.7],
    [50, 35.4],
    [60, 34],
    [70, 32.5],
    [75, 31.5],
    [80, 30.1],
    [85, 28.5],
    [90, 25.9],
    [92, 24.6],
    [95, 21.5],
    [98, 15.7],
    [100, 0],
  ],
  'wasm-x265': [
    [1, 51],
    [5, 50],
    [10, 44.5],
    [20, 40],
    [30, 37.3],
    [40, 35.9],
    [50, 34.4],
    [60, 33.1],
    [70, 31.6],
    [75, 30.5],
    [80, 29.2],
    [85, 27.6],
    [90, 24.8],
    [92, 23.3],
    [95, 19.9],
    [98, 14],
    [100, 0],
  ],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;

/**
 * Translates our quality number into an encoder's own setting, so that a number means one visible quality in all
 * formats.
 * @param quality 1 to 100; 100 is the best that the encoder can do
 * @returns 0 to 100, or 51 to 0 for x265
 */
export function encoderSetting(encoder: ScaledEncoder, quality: number): number {
  const points: readonly (readonly [number, number])[] = QUALITY_TABLES[encoder];
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
