import { expect, it } from 'vitest';
import { computePageScore } from '../../lab/bench/page-score.ts';

it('scores figures as the curves of the mobile audit do', () => {
  expect(computePageScore({ fcpMs: 0, lcpMs: 0, tbtMs: 0, cls: 0 })).toBe(100);
  // Every figure at its tenth percentile, then at its median.
  expect(computePageScore({ fcpMs: 1800, lcpMs: 2500, tbtMs: 200, cls: 0.1 })).toBeCloseTo(90, 3);
  expect(computePageScore({ fcpMs: 3000, lcpMs: 4000, tbtMs: 600, cls: 0.25 })).toBeCloseTo(50, 3);
});
