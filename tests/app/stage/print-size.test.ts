import { expect, test } from 'vitest';
import { describePrint, getFacts } from '../../../app/studio/upscale/upscalers.ts';
import { BEST_UPSCALER } from '../../../models/operations/upscale/upscalers.ts';

test('an enlarged size is given in centimetres of a good print', () => {
  expect(describePrint({ width: 2560, height: 1706 })).toBe('21.7 × 14.4 cm at 300 dpi');
});

test('a result says what its model was chosen for, unless the visitor chose it', () => {
  const factsOf = (model: string) => {
    const result = {
      files: [],
      warnings: [],
      engine: 'darkroom-restore on wasm',
      details: { input_kind: 'degraded image' },
    };
    const state = { phase: 'done', result, durationSeconds: 1, resultParams: { model } } as const;
    const item = { id: 1, file: new File([], 'a.jpg'), state };
    return getFacts({ item, renewal: undefined, isLiveRun: false, isOutdated: false }, undefined, 2);
  };
  expect(factsOf(BEST_UPSCALER)).toContain('chosen for traces of compression or noise');
  expect(factsOf('darkroom-restore').join()).not.toContain('chosen for');
});
