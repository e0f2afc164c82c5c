import {
  agglomerate,
  cutDendrogram,
  type Merge,
  type Points,
  pointsAt,
  sampleEvenly,
} from './agglomerate.ts';

/** Clusters that may be too small next to those of a given number of speakers. */
const OUTLIERS_MAX = 30;
/** Rounds of refinement. */
const ROUNDS = 5;

/**
 * Number of speakers, or of the embeddings if there are fewer; or the distance from which clusters are different
 * speakers.
 */
export type SpeakerLimit = { readonly speakerCount: number } | { readonly distanceMax: number };

/**
 * Finds the speakers of embeddings.
 * @param sizeMin smaller clusters are no speaker, unless all are small or too few are large
 * @returns the mean embedding of each, of length 1
 */
export function findSpeakers(embeddings: Points, sizeMin: number, limit: SpeakerLimit): Float32Array[] {
  const count = embeddings.values.length / embeddings.dimensions;
  const points = pointsAt(embeddings, sampleEvenly(count));
  const merges = agglomerate(points, 'centroid');
  // The clusters are those of the sample, and so is their size.
  const sampledMin = (sizeMin * points.values.length) / embeddings.values.length;
  const clusters =
    'speakerCount' in limit
      ? clustersOfCount(merges, sampledMin, limit.speakerCount)
      : clustersWithin(merges, sampledMin, limit.distanceMax);
  return findCentres(points, clusters);
}

/** Members of a cluster. */
export type Cluster = readonly number[];

/** Returns the clusters that are speakers. */
function clustersWithin(merges: readonly Merge[], sizeMin: number, distanceMax: number): Cluster[] {
  const end = merges.findIndex(({ distance }) => distance > distanceMax);
  const clusters = largestFirst(end < 0 ? merges : merges.slice(0, end), merges.length + 1);
  const large = clusters.filter(({ length }) => length >= sizeMin);
  return large.length > 0 ? large : clusters.slice(0, 1);
}

/**
 * Returns so many clusters: the largest after the last merge that leaves so many large enough, since single points that
 * are unlike all others merge last; where there is none, those that are left when so many are.
 */
export function clustersOfCount(merges: readonly Merge[], sizeMin: number, count: number): Cluster[] {
  const last = Math.max(0, merges.length + 1 - count);
  for (let end = last; end >= Math.max(0, last - OUTLIERS_MAX); end--) {
    const clusters = largestFirst(merges.slice(0, end), merges.length + 1).slice(0, count);
    if (clusters.every(({ length }) => length >= sizeMin)) return clusters;
  }
  return largestFirst(merges.slice(0, last), merges.length + 1).slice(0, count);
}

/**
 * Returns the clusters after some merges, the largest first.
 * @param count points
 */
function largestFirst(merges: readonly Merge[], count: number): Cluster[] {
  const members = new Map<number, number[]>();
  cutDendrogram(merges, count).forEach((cluster, point) => {
    const known = members.get(cluster);
    if (known) known.push(point);
    else members.set(cluster, [point]);
  });
  return [...members.values()].sort((one, other) => other.length - one.length);
}

/**
 * Returns the mean of each cluster, moved to that of the points most similar to it, a few times (k-means on the
 * sphere).
 */
export function findCentres(points: Points, clusters: readonly Cluster[]): Float32Array[] {
  let centres = clusters.map((cluster) => meanVector(points, cluster));
  for (let round = 0; round < ROUNDS; round++) {
    const members: number[][] = centres.map(() => []);
    for (let point = 0; point * points.dimensions < points.values.length; point++) {
      members[findNearest(points, point, centres)]?.push(point);
    }
    centres = centres.map((centre, at) => {
      const own = members[at];
      return own.length > 0 ? meanVector(points, own) : centre;
    });
  }
  return centres;
}

/** Returns the index of the centre that is most similar to a point. */
export function findNearest(
  { dimensions, values }: Points,
  point: number,
  centres: readonly Float32Array[],
): number {
  const cosines = centres.map((centre) => cosine(values, point * dimensions, centre));
  return cosines.indexOf(Math.max(...cosines));
}

/** Returns the cosine between the unit vector that begins at `from` and another. */
export function cosine(values: Float32Array, from: number, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < other.length; at++) sum += values[from + at] * other[at];
  return sum;
}

/** Returns the mean of some points, of length 1; zeros where there is none. */
export function meanVector({ dimensions, values }: Points, members: readonly number[]): Float32Array {
  const mean = new Float32Array(dimensions);
  for (const point of members) {
    for (let at = 0; at < dimensions; at++) {
      mean[at] = mean[at] + values[point * dimensions + at];
    }
  }
  return toUnitLength(mean);
}

/** Returns a vector of length 1 in the same direction; zeros stay. */
export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
