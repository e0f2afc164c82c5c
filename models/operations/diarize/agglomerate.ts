/** Points that are clustered: the memory grows with their square. */
const POINTS_MAX = 2000;

/** Vectors of one length, one after another. */
export interface Points {
  readonly dimensions: number;
  readonly values: Float32Array;
}

/**
 * Distance between clusters of unit vectors: `average` is the mean of 1 - cosine over their pairs, `centroid` the
 * squared Euclidean distance of their means, `ward` twice the squared distances from the means that their union adds.
 */
export type Linkage = 'average' | 'centroid' | 'ward';

/** Union of two clusters, each named by one of its points; it keeps the name of the first. */
export interface Merge {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
}

/**
 * Clusters unit vectors from the bottom up, until one cluster is left: the two nearest clusters merge, their distances
 * updated by the formula of Lance and Williams. Takes 4 bytes for each pair of points.
 * @returns the merges in order, one fewer than points
 */
export function agglomerate(points: Points, linkage: Linkage): Merge[] {
  const clusters = new PairDistances(points, linkage);
  const merges: Merge[] = [];
  while (clusters.count > 1) {
    const merge = clusters.nearest();
    clusters.merge(merge);
    merges.push(merge);
  }
  return merges;
}

/**
 * Returns the cluster of each point after some merges.
 * @param count points
 */
export function cutDendrogram(merges: readonly Merge[], count: number): Int32Array {
  const names = Int32Array.from({ length: count }, (_, at) => at);
  for (const { first, second } of merges) names[second] = first;
  return names.map((_, point) => {
    let name = point;
    while (names[name] !== name) name = names[name];
    return name;
  });
}

/** Renumbers labels from 0 in the order in which they appear. */
export function renumberByAppearance(labels: ArrayLike<number>): Int32Array {
  const numbers = new Map<number, number>();
  return Int32Array.from(labels, (label) => {
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  });
}

/** Distances between clusters, each named by one of its points, and to the nearest other one. */
class PairDistances {
  count: number;
  readonly #total: number;
  readonly #distances: Float32Array;
  readonly #sizes: Float64Array;
  readonly #nearest: Int32Array;
  readonly #linkage: Linkage;

  constructor({ dimensions, values }: Points, linkage: Linkage) {
    this.#linkage = linkage;
    this.#total = values.length / dimensions;
    this.count = this.#total;
    this.#sizes = new Float64Array(this.#total).fill(1);
    this.#distances = new Float32Array(this.#total ** 2);
    for (let one = 0; one < this.#total; one++) {
      for (let other = 0; other < one; other++) {
        let cosine = 0;
        for (let at = 0; at < dimensions; at++) {
          cosine += values[one * dimensions + at] * values[other * dimensions + at];
        }
        // Of unit vectors, the squared distance is twice that.
        this.#set(one, other, linkage === 'average' ? 1 - cosine : 2 - 2 * cosine);
      }
    }
    this.#nearest = Int32Array.from({ length: this.#total }, (_, at) => this.#findNearest(at));
  }

  /** Finds the two nearest clusters; `first` is the lower name. */
  nearest(): Merge {
    let [best, distance] = [-1, Number.POSITIVE_INFINITY];
    for (let at = 0; at < this.#total; at++) {
      if (this.#sizes[at] === 0) continue;
      const found = this.#get(at, this.#nearest[at]);
      if (found < distance) [best, distance] = [at, found];
    }
    const other = this.#nearest[best];
    return { first: Math.min(best, other), second: Math.max(best, other), distance };
  }

  /** Merges the second cluster into the first. */
  merge({ first, second }: Merge): void {
    const [size, added] = [this.#sizes[first], this.#sizes[second]];
    const total = size + added;
    const between = this.#get(first, second);
    const inner = this.#linkage === 'centroid' ? (size * added * between) / total ** 2 : 0;
    for (let at = 0; at < this.#total; at++) {
      if (this.#sizes[at] === 0 || at === first || at === second) continue;
      const other = this.#linkage === 'ward' ? this.#sizes[at] : 0;
      const sum = (size + other) * this.#get(at, first) + (added + other) * this.#get(at, second);
      this.#set(at, first, (sum - other * between) / (total + other) - inner);
    }
    this.#sizes[first] = total;
    this.#sizes[second] = 0;
    this.count -= 1;
    for (let at = 0; at < this.#total; at++) {
      if (this.#sizes[at] === 0) continue;
      const nearest = this.#nearest[at];
      if (at === first || nearest === first || nearest === second) this.#nearest[at] = this.#findNearest(at);
      else if (this.#get(at, first) < this.#get(at, nearest)) this.#nearest[at] = first;
    }
  }

  #findNearest(cluster: number): number {
    let [nearest, distance] = [cluster, Number.POSITIVE_INFINITY];
    for (let at = 0; at < this.#total; at++) {
      if (at === cluster || this.#sizes[at] === 0) continue;
      const found = this.#get(cluster, at);
      if (found < distance) [nearest, distance] = [at, found];
    }
    return nearest;
  }

  #get(one: number, other: number): number {
    return one === other ? Number.POSITIVE_INFINITY : this.#distances[one * this.#total + other];
  }

  #set(one: number, other: number, distance: number): void {
    this.#distances[one * this.#total + other] = distance;
    this.#distances[other * this.#total + one] = distance;
  }
}

/** Returns the indices of at most 2000 of so many points, evenly spread. */
export function sampleEvenly(count: number): number[] {
  const length = Math.min(count, POINTS_MAX);
  return Array.from({ length }, (_, at) => Math.floor((at * count) / length));
}

export function pointsAt({ dimensions, values }: Points, indices: readonly number[]): Points {
  const picked = new Float32Array(indices.length * dimensions);
  indices.forEach((point, at) => {
    picked.set(values.subarray(point * dimensions, (point + 1) * dimensions), at * dimensions);
  });
  return { dimensions, values: picked };
}
