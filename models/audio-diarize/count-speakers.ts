import { agglomerate, type Points } from '../kernels/cluster/agglomerate.ts';
import { largestFirst } from './find-speakers.ts';
import { pointsAt, sampleEvenly } from './sample-points.ts';

/** Mean of 1 - cosine up to which windows form the clusters to begin with. */
const DISTANCE_MAX = 0.5;
/** Windows whose middles are closer share sound, so that they are similar whoever speaks. In seconds. */
const APART_SECONDS = 2;
/** Relation from which two clusters are one speaker. */
const RELATION_MIN = 0.7;
/** Similarity of a speaker's windows before any pair is known, and the pairs that it counts for. */
const PRIOR = { similarity: 0.6, pairs: 3 };
/** Least similarity within a cluster that a relation is measured by. */
const SIMILARITY_MIN = 0.05;
/** Clusters that are compared: the time grows with their cube. */
const CLUSTERS_MAX = 300;
/** Fewer windows, or a smaller share of them, are no speaker. */
const WINDOWS_MIN = 3;
const SHARE_MIN = 0.07;

/** Cluster of windows: how many, and the sums over its pairs with each cluster. */
interface Cluster {
  size: number;
  /** Cosines of windows that share no sound, and how many pairs these are. */
  readonly cosines: number[];
  readonly pairs: number[];
}

/**
 * Estimates how many speakers the embeddings of windows have. Clusters merge while their relation is close: the mean cosine
 * across them over the geometric mean of those within. So clusters that vary much, as in noise, need not be as similar as
 * clean ones. All constants were set on conversations made of speakers held out in training.
 * @param embeddings of windows, of length 1, one after another
 * @param middles of the windows, in seconds
 * @returns at least 1
 */
export function countSpeakers(embeddings: Points, middles: readonly number[]): number {
  const sample = sampleEvenly(middles.length);
  const points = pointsAt(embeddings, sample);
  const clusters = clustersOf(
    points,
    sample.map((at) => middles[at] as number),
  );
  for (;;) {
    const { relation, first, second } = closest(clusters);
    if (relation < RELATION_MIN) break;
    merge(clusters, first, second);
  }
  // The share is that of all windows, but a sample has fewer of them.
  const sizeMin = Math.max((WINDOWS_MIN * sample.length) / middles.length, SHARE_MIN * sample.length);
  return Math.max(1, clusters.filter(({ size }) => size >= sizeMin).length);
}

/** Returns the largest clusters of similar windows. */
function clustersOf(points: Points, middles: readonly number[]): Cluster[] {
  const merges = agglomerate(points, 'average');
  const end = merges.findIndex(({ distance }) => distance > DISTANCE_MAX);
  const all = largestFirst(end < 0 ? merges : merges.slice(0, end), middles.length);
  const largest = all.slice(0, CLUSTERS_MAX);
  return largest.map((own) => {
    const sums = largest.map((others) => sumOverPairs(points, middles, own, others));
    return {
      size: own.length,
      cosines: sums.map(({ cosines }) => cosines),
      pairs: sums.map(({ pairs }) => pairs),
    };
  });
}

function sumOverPairs(
  { dimensions, values }: Points,
  middles: readonly number[],
  own: readonly number[],
  others: readonly number[],
): { cosines: number; pairs: number } {
  let [cosines, pairs] = [0, 0];
  for (const one of own) {
    for (const other of others) {
      if (Math.abs((middles[one] as number) - (middles[other] as number)) < APART_SECONDS) continue;
      for (let at = 0; at < dimensions; at++) {
        cosines += (values[one * dimensions + at] as number) * (values[other * dimensions + at] as number);
      }
      pairs += 1;
    }
  }
  return { cosines, pairs };
}

/** Returns the two clusters of the closest relation; it is negative where no pair of windows shows one. */
function closest(clusters: readonly Cluster[]): { relation: number; first: number; second: number } {
  const within = clusters.map((cluster, at) =>
    Math.max(SIMILARITY_MIN, similarity(cluster, at) ?? PRIOR.similarity),
  );
  let best = { relation: -1, first: -1, second: -1 };
  clusters.forEach((cluster, first) => {
    for (let second = first + 1; second < clusters.length; second++) {
      const across = similarity(cluster, second);
      if (across === null) continue;
      const relation = across / Math.sqrt((within[first] as number) * (within[second] as number));
      if (relation > best.relation) best = { relation, first, second };
    }
  });
  return best;
}

/** Returns the mean cosine between windows of two clusters, drawn towards the prior; null where no pair is known. */
function similarity({ cosines, pairs }: Cluster, other: number): number | null {
  const count = pairs[other] as number;
  if (count === 0) return null;
  return ((cosines[other] as number) + PRIOR.pairs * PRIOR.similarity) / (count + PRIOR.pairs);
}

/** Merges the second cluster into the first. */
function merge(clusters: Cluster[], first: number, second: number): void {
  const [kept, gone] = [clusters[first] as Cluster, clusters[second] as Cluster];
  kept.size += gone.size;
  clusters.splice(second, 1);
  for (const key of ['cosines', 'pairs'] as const) {
    gone[key].forEach((sum, at) => {
      (kept[key] as number[])[at] = (kept[key][at] as number) + sum;
    });
    for (const { [key]: sums } of clusters) {
      const [moved] = sums.splice(second, 1);
      sums[first] = (sums[first] as number) + (moved as number);
    }
  }
}
