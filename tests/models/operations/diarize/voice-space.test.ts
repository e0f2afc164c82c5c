import { expect, it } from 'vitest';
import {
  averageNeighbours,
  closestRelation,
  subtractMean,
} from '../../../../models/operations/diarize/divide-speech.ts';
import { findNearest, findSpeakers } from '../../../../models/operations/diarize/find-speakers.ts';

const points = (...vectors: readonly (readonly number[])[]) => ({
  dimensions: vectors[0]?.length ?? 0,
  values: Float32Array.from(vectors.flat()),
});

it('averageNeighbours: counts a window half a second away half, and one a second away not at all', () => {
  const { values } = averageNeighbours(points([1, 0], [0, 1], [1, 0]), [0, 0.5, 1.5]);
  const length = Math.hypot(1, 0.5);
  const expected = [1 / length, 0.5 / length, 0.5 / length, 1 / length, 1, 0];
  expected.forEach((value, at) => {
    expect(values[at]).toBeCloseTo(value, 5);
  });
});

it('takeMeanAway: leaves a tenth of what the windows share', () => {
  const { values } = subtractMean(points([0.8, 0.6], [0.8, -0.6]));
  const length = Math.hypot(0.08, 0.6);
  [0.08 / length, 0.6 / length, 0.08 / length, -0.6 / length].forEach((value, at) => {
    expect(values[at]).toBeCloseTo(value, 5);
  });
});

it('closestRelation: compares the cosines across speakers with those within, of windows that share no sound', () => {
  const embeddings = points([1, 0], [1, 0], [0.6, 0.8], [0.6, 0.8]);
  // Prior: three pairs of 0.6. Within: two ordered pairs of 1; across: four of 0.6.
  const relation = closestRelation(embeddings, [0, 2, 4, 6], [0, 0, 1, 1]);
  expect(relation).toBeCloseTo((4 * 0.6 + 1.8) / 7 / ((2 + 1.8) / 5), 5);
  expect(closestRelation(embeddings, [0, 2, 4, 6], [0, 0, 0, 0])).toBe(0);
  // The second and the third window share sound, so that only three pairs tell how alike the speakers are.
  const near = closestRelation(embeddings, [0, 2, 3, 5], [0, 0, 1, 1]);
  expect(near).toBeCloseTo((3 * 0.6 + 1.8) / 6 / ((2 + 1.8) / 5), 5);
});

const DIMENSIONS = 8;

/** Makes unit vectors near the axes of speakers who take turns. */
function getEmbeddings(count: number, speakers: number) {
  const values = new Float32Array(count * DIMENSIONS);
  for (let at = 0; at < count; at++) {
    const shared = 0.1 * Math.sin(at * 1.7);
    values[at * DIMENSIONS + (at % speakers)] = Math.sqrt(1 - shared * shared);
    values[at * DIMENSIONS + DIMENSIONS - 1] = shared;
  }
  return { dimensions: DIMENSIONS, values };
}

// 28,800 windows are four hours of speech; 2000 of them are clustered.
it.each([400, 28_800])('finds three equal speakers in %d windows', (count) => {
  const embeddings = getEmbeddings(count, 3);
  const sizeMin = 0.04 * count;
  for (const centres of [
    findSpeakers(embeddings, sizeMin, { distanceMax: 0.6 }),
    findSpeakers(embeddings, sizeMin, { speakerCount: 3 }),
  ]) {
    expect(centres).toHaveLength(3);
    expect(new Set([0, 1, 2].map((at) => findNearest(embeddings, at, centres))).size).toBe(3);
  }
});
