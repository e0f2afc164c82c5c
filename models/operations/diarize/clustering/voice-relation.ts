import type { Points } from './agglomerate.ts';
import { cosine } from './find-speakers.ts';

/** Windows whose middles are closer share sound, so that they are similar whoever speaks. In seconds. */
const APART_SECONDS = 2;
/** Similarity of windows before any pair is known, and the pairs that it counts for. */
const PRIOR = { similarity: 0.6, pairs: 3 };
/** Least similarity within a speaker that a relation is measured by. */
const SIMILARITY_MIN = 0.05;

/**
 * Returns how closely the two most similar speakers are related: the mean cosine across their windows over the
 * geometric mean of those within. So voices that vary much, as in noise, need not be as unlike as clean ones.
 * @param embeddings of windows, of length 1, one after another
 * @param middles of the windows, in seconds, in order
 * @param speakers of the windows, from 0
 * @returns 0 for a single speaker; about 1 for two halves of one voice
 */
export function closestRelation(
  embeddings: Points,
  middles: readonly number[],
  speakers: ArrayLike<number>,
): number {
  const count = Math.max(...Array.from(speakers)) + 1;
  const similarities = similaritiesOf(embeddings, middles, speakers, count);
  const within = (at: number) => Math.max(SIMILARITY_MIN, similarities[at * count + at]);
  let closest = 0;
  for (let one = 0; one < count; one++) {
    for (let other = 0; other < one; other++) {
      const across = similarities[one * count + other];
      closest = Math.max(closest, across / Math.sqrt(within(one) * within(other)));
    }
  }
  return closest;
}

/**
 * Returns the mean cosines between the windows of speakers that share no sound, drawn towards the prior, as a table.
 */
function similaritiesOf(
  { dimensions, values }: Points,
  middles: readonly number[],
  speakers: ArrayLike<number>,
  count: number,
): Float64Array {
  const sizes = new Float64Array(count);
  const sums = Array.from({ length: count }, () => new Float32Array(dimensions));
  middles.forEach((_, window) => {
    const speaker = speakers[window];
    const sum = sums[speaker] as Float32Array;
    sizes[speaker] = sizes[speaker] + 1;
    for (let at = 0; at < dimensions; at++) {
      sum[at] = sum[at] + values[window * dimensions + at];
    }
  });
  const cosines = Float64Array.from({ length: count ** 2 }, (_, at) =>
    cosine(sums[Math.floor(at / count)] as Float32Array, 0, sums[at % count] as Float32Array),
  );
  const pairs = Float64Array.from(
    { length: count ** 2 },
    (_, at) => sizes[Math.floor(at / count)] * sizes[at % count],
  );
  for (let one = 0, from = 0; one < middles.length; one++) {
    while (middles[one] - middles[from] >= APART_SECONDS) from += 1;
    const vector = values.subarray(one * dimensions, (one + 1) * dimensions);
    for (let other = from; other < middles.length; other++) {
      if (middles[other] - middles[one] >= APART_SECONDS) break;
      const at = speakers[one] * count + speakers[other];
      cosines[at] = cosines[at] - cosine(values, other * dimensions, vector);
      pairs[at] = pairs[at] - 1;
    }
  }
  return cosines.map((sum, at) => (sum + PRIOR.pairs * PRIOR.similarity) / (pairs[at] + PRIOR.pairs));
}
