import { describe, expect, it } from 'vitest';
import {
  agglomerate,
  type Linkage,
  numberedByAppearance,
} from '../../../../models/kernels/cluster/agglomerate.ts';
import { likeliestPath } from '../../../../models/kernels/cluster/likeliest-path.ts';

/** Unit vectors in the plane. */
function at(...degrees: number[]) {
  const radians = degrees.map((angle) => (angle * Math.PI) / 180);
  return {
    dimensions: 2,
    values: Float32Array.from(radians.flatMap((angle) => [Math.cos(angle), Math.sin(angle)])),
  };
}

const rule = (linkage: Linkage, distanceMax: number, countMin = 1) => ({ linkage, distanceMax, countMin });

describe('agglomerate', () => {
  it.each<Linkage>(['average', 'centroid'])('finds groups by the %s', (linkage) => {
    const points = at(90, 1, 92, 3, 180, 0);
    expect([...agglomerate(points, rule(linkage, 0.1))]).toEqual([0, 1, 0, 1, 2, 1]);
  });

  it('merges until the number of clusters that must stay', () => {
    const points = at(0, 10, 90, 100, 200);
    expect([...agglomerate(points, rule('average', Number.POSITIVE_INFINITY, 2))]).toEqual([0, 0, 0, 0, 1]);
    expect([...agglomerate(points, rule('average', Number.POSITIVE_INFINITY, 5))]).toEqual([0, 1, 2, 3, 4]);
  });

  it('measures the mean over pairs, or the distance of means', () => {
    // From 0 and 40 degrees to 80: a mean of 1 - cosine of 0.530; a squared distance to their mean vector of 0.943.
    const points = at(0, 40, 80 + 1e-3);
    expect(agglomerate(points, rule('average', 0.52)).at(-1)).toBe(1);
    expect(agglomerate(points, rule('average', 0.54)).at(-1)).toBe(0);
    expect(agglomerate(points, rule('centroid', 0.93)).at(-1)).toBe(1);
    expect(agglomerate(points, rule('centroid', 0.96)).at(-1)).toBe(0);
  });
});

describe('numberedByAppearance', () => {
  it('numbers labels from 0 in order', () => {
    expect([...numberedByAppearance([7, 3, 7, 9])]).toEqual([0, 1, 0, 2]);
  });
});

describe('likeliestPath', () => {
  const scores = Float32Array.of(1, 0, 1, 0, 0, 1, 1.2, 0, 0, 3, 0, 3);

  it('follows each step where changes cost nothing', () => {
    expect([...likeliestPath(scores, 2, 0)]).toEqual([0, 0, 1, 0, 1, 1]);
  });

  it('stays where a change costs more than it gains', () => {
    expect([...likeliestPath(scores, 2, 1.5)]).toEqual([0, 0, 0, 0, 1, 1]);
    expect([...likeliestPath(scores, 2, 100)]).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
