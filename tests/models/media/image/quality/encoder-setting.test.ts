import { describe, expect, it } from 'vitest';
import {
  encoderSetting,
  QUALITY_NUMBERS,
  type ScaledEncoder,
  SETTINGS,
} from '../../../../../models/media/image/codec/quality-tables.ts';

const ENCODERS = Object.keys(SETTINGS) as ScaledEncoder[];
const NUMBERS = Array.from({ length: 100 }, (_, index) => index + 1);

describe.each(ENCODERS)('the quality scale of %s', (encoder) => {
  const settings = NUMBERS.map((quality) => encoderSetting(encoder, quality));
  const isRateFactor = encoder.endsWith('x265');

  it('has a setting for each number of the table', () => {
    expect(SETTINGS[encoder]).toHaveLength(QUALITY_NUMBERS.length);
  });

  it('ends at the best setting of the encoder', () => {
    expect(settings.at(-1)).toBe(isRateFactor ? 0 : 100);
  });

  it('never becomes worse when the number rises', () => {
    const better = settings.map((setting) => (isRateFactor ? -setting : setting));
    expect(better).toEqual(better.toSorted((one, other) => one - other));
  });

  it('gives settings that the encoder accepts', () => {
    const [least, most] = isRateFactor ? [0, 51] : [1, 100];
    for (const setting of settings) {
      expect(setting).toBeGreaterThanOrEqual(least);
      expect(setting).toBeLessThanOrEqual(most);
      const steps = isRateFactor ? setting * 10 : setting;
      expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-9);
    }
  });

  it('uses most of the scale, so that neighbouring numbers differ', () => {
    expect(new Set(settings).size).toBeGreaterThan(60);
  });

  it('accepts fractions', () => {
    const [low, between, high] = [80, 80.5, 81].map((quality) => encoderSetting(encoder, quality)) as [
      number,
      number,
      number,
    ];
    expect(Math.min(low, high)).toBeLessThanOrEqual(between);
    expect(Math.max(low, high)).toBeGreaterThanOrEqual(between);
  });
});
