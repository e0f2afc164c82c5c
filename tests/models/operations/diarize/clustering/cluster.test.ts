import { describe, expect, it } from 'vitest';
import {
  agglomerate,
  cutDendrogram,
  type Linkage,
  type Points,
  renumberByAppearance,
} from '../../../../../models/operations/diarize/agglomerate.ts';
import { viterbiPath } from '../../../../../models/operations/diarize/speech-steps.ts';

/** Unit vectors in the plane. */
function at(...degrees: number[]): Points {
  const radians = degrees.map((angle) => (angle * Math.PI) / 180);
  return {
    dimensions: 2,
    values: Float32Array.from(radians.flatMap((angle) => [Math.cos(angle), Math.sin(angle)])),
  };
}

/** Clusters points until the nearest clusters are further apart, or so many are left. */
function clustered(points: Points, linkage: Linkage, distanceMax: number, countMin = 1): number[] {
  const merges = agglomerate(points, linkage);
  const count = merges.length + 1;
  const near = merges.filter(({ distance }) => distance <= distanceMax).slice(0, count - countMin);
  return [...renumberByAppearance(cutDendrogram(near, count))];
}

describe('agglomerate', () => {
  it.each<Linkage>(['average', 'centroid', 'ward'])('finds groups by the %s', (linkage) => {
    expect(clustered(at(90, 1, 92, 3, 180, 0), linkage, 0.1)).toEqual([0, 1, 0, 1, 2, 1]);
  });

  it('measures by ward what a union adds to the squared distances from the means, twice', () => {
    const [first, second] = agglomerate(at(0, 60, 180), 'ward');
    expect(first?.distance).toBeCloseTo(1, 5);
    // The union of all has the mean (1/6, sin 60 / 3): its squared distances sum to 8/3, 1/2 of which are the first
    // pair's.
    expect((second?.distance ?? 0) / 2).toBeCloseTo(8 / 3 - 1 / 2, 5);
  });

  it('merges the nearest first, until one cluster is left', () => {
    const points = at(0, 10, 90, 102, 200);
    expect(agglomerate(points, 'average')).toHaveLength(4);
    expect(clustered(points, 'average', 2, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(clustered(points, 'average', 2, 4)).toEqual([0, 0, 1, 2, 3]);
    expect(clustered(points, 'average', 2, 3)).toEqual([0, 0, 1, 1, 2]);
    expect(clustered(points, 'average', 2, 1)).toEqual([0, 0, 0, 0, 0]);
  });

  it('measures the mean over pairs, or the distance of means', () => {
    // From 0 and 40 degrees to 80: a mean of 1 - cosine of 0.530; a squared distance to their mean vector of 0.943.
    const points = at(0, 40, 80 + 1e-3);
    expect(agglomerate(points, 'average').at(-1)?.distance).toBeCloseTo(0.53, 3);
    expect(agglomerate(points, 'centroid').at(-1)?.distance).toBeCloseTo(0.9433, 3);
  });
});

describe('numberedByAppearance', () => {
  it('numbers labels from 0 in order', () => {
    expect([...renumberByAppearance([7, 3, 7, 9])]).toEqual([0, 1, 0, 2]);
  });
});

describe('likeliestPath', () => {
  const scores = Float32Array.of(1, 0, 1, 0, 0, 1, 1.2, 0, 0, 3, 0, 3);

  it('follows each step where changes cost nothing', () => {
    expect([...viterbiPath(scores, 2, 0)]).toEqual([0, 0, 1, 0, 1, 1]);
  });

  it('stays where a change costs more than it gains', () => {
    expect([...viterbiPath(scores, 2, 1.5)]).toEqual([0, 0, 0, 0, 1, 1]);
    expect([...viterbiPath(scores, 2, 100)]).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
