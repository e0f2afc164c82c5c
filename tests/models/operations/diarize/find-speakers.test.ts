import { expect, it } from 'vitest';
import { findNearest, findSpeakers } from '../../../../models/operations/diarize/clustering/find-speakers.ts';

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
  const rule = { linkage: 'average', sizeMin: 0.04 * count } as const;
  for (const centres of [
    findSpeakers(embeddings, rule, { distanceMax: 0.6 }),
    findSpeakers(embeddings, rule, { speakerCount: 3 }),
  ]) {
    expect(centres).toHaveLength(3);
    expect(new Set([0, 1, 2].map((at) => findNearest(embeddings, at, centres))).size).toBe(3);
  }
});
