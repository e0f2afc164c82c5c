import { expect, test } from 'vitest';
import {
  describePrint,
  describeRun,
  imageParams,
  secondsPerPixel,
  targetParams,
  toPixels,
} from '../../../app/studio/upscale/upscalers.ts';
import { BEST_UPSCALER } from '../../../models/operations/upscale/upscalers.ts';

test('an enlarged size is given in centimetres of a good print', () => {
  expect(describePrint({ width: 2560, height: 1706 })).toBe('21.7 × 14.4 cm');
});

test('a width takes the smallest factor that reaches it, within what the image allows', () => {
  const small = { width: 1280, height: 853 };
  expect(targetParams(small, 2000)).toEqual({ scale: 2, width: 2000 });
  expect(targetParams(small, 2560)).toEqual({ scale: 2, width: undefined });
  expect(targetParams(small, toPixels(30, 300))).toEqual({ scale: 4, width: 3543 });
  expect(targetParams(small, 50_000)).toEqual({ scale: 8, width: undefined });
  expect(targetParams({ width: 4000, height: 3000 }, 50_000)).toEqual({ scale: 2, width: undefined });
});

test('a width gives each image the factor that it needs', () => {
  const values = { model: BEST_UPSCALER, scale: 2, output_format: 'png', width: 1500 };
  expect(imageParams(values, { width: 480, height: 360 })).toMatchObject({ scale: 4, width: 1500 });
  expect(imageParams(values, { width: 1000, height: 667 })).toMatchObject({ scale: 2, width: 1500 });
  expect(imageParams(values, { width: 750, height: 500 })).not.toHaveProperty('width');
  expect(imageParams(values, undefined)).toMatchObject({ scale: 2, width: 1500 });
  const factor = { ...values, scale: 8, width: undefined };
  expect(imageParams(factor, { width: 480, height: 360 })).toMatchObject({ scale: 8 });
});

test('an icon does not tell how long a photo takes', () => {
  expect(secondsPerPixel(0.1, { width: 12, height: 12 })).toBeUndefined();
  expect(secondsPerPixel(undefined, { width: 480, height: 360 })).toBeUndefined();
  expect(secondsPerPixel(1.728, { width: 480, height: 360 })).toBeCloseTo(1e-5);
});

test('a result says what its model was chosen for, unless the visitor chose it', () => {
  const factsOf = (model: string) => {
    const result = {
      files: [],
      warnings: [],
      engine: 'darkroom-restore on wasm',
      details: { input_kind: 'degraded image', scale: 2 },
    };
    const state = { phase: 'done', result, durationSeconds: 1, resultParams: { model } } as const;
    return describeRun({ id: 1, file: new File([], 'a.jpg'), state });
  };
  expect(factsOf(BEST_UPSCALER)).toContain('chosen for traces of compression or noise');
  expect(factsOf('darkroom-restore').join()).not.toContain('chosen for');
});
