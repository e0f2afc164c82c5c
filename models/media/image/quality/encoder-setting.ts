import { QUALITY_TABLES } from './quality-tables.ts';

/** Encoder with a scale of its own, named by its library and format. */
export type ScaledEncoder = keyof typeof QUALITY_TABLES;

/** Smallest step of a constant rate factor that x265 distinguishes. The other scales are whole numbers. */
const RATE_FACTOR_STEP = 0.1;

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
  const [x1, y1] = points.at(after) as readonly [number, number];
  const [x0, y0] = points[Math.max(0, after - 1)];
  return after <= 0 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
