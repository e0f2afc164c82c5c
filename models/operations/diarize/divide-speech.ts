import {
  agglomerate,
  type Linkage,
  type Merge,
  type Points,
  pointsAt,
  renumberByAppearance,
  sampleEvenly,
} from './agglomerate.ts';
import {
  clustersOfCount,
  cosine,
  findCentres,
  findNearest,
  meanVector,
  toUnitLength,
} from './find-speakers.ts';
import type { Path, SpeechSteps } from './speech-steps.ts';

/** Windows whose middles are closer share sound, so that they are similar for any speaker. In seconds. */
const APART_SECONDS = 2;
/** Similarity of windows before any pair is known, and the pairs that it counts for. */
const PRIOR = { similarity: 0.6, pairs: 3 };
/** Least similarity within a speaker that a relation is measured by. */
const SIMILARITY_MIN = 0.05;
/** Windows whose middles are closer are averaged: the nearer, the more they count. In seconds. */
const NEAR_SECONDS = 1;
/** Share of the recording's mean embedding that is taken away. */
const MEAN_SHARE = 0.9;

/** Speech divided among so many speakers. */
export interface Division extends Path {
  readonly count: number;
  /** Returns the relation of the two most similar speakers, by `closestRelation`. */
  relation(): number;
}

/** Clusters that are smaller, in windows or as a share of them, are no speaker to begin with. */
const SMALLEST = [
  { windows: 2, share: 0.02 },
  { windows: 3, share: 0.03 },
] as const;

/** Times that speakers are estimated again from the windows of their turns. */
const ROUNDS = 1;

/** Clustering to begin with. */
interface Start {
  /** Embeddings of all windows, as they are compared. */
  readonly points: Points;
  /** Windows that are clustered. */
  readonly sample: Points;
  readonly merges: readonly Merge[];
  /** Least size of a cluster, in windows of the sample. */
  readonly sizeMin: number;
}

/** Divisions of speech among any number of speakers, each the best that several clusterings lead to. */
export class SpeechDivisions {
  readonly #steps: SpeechSteps;
  readonly #embeddings: Points;
  readonly #middles: readonly number[];
  readonly #starts: readonly Start[];

  /**
   * @param embeddings of windows, of length 1, one after another
   * @param middles of the windows, in seconds
   */
  constructor(steps: SpeechSteps, embeddings: Points, middles: readonly number[]) {
    this.#steps = steps;
    this.#embeddings = embeddings;
    this.#middles = middles;
    this.#starts = getStarts(embeddings, middles);
  }

  /** Returns the division among so many speakers that scores best; among fewer where there are fewer windows. */
  among(count: number): Division {
    let best: Division | undefined;
    for (const start of this.#starts) {
      let speakers = getSpeakers(start, count);
      for (let round = 0; round <= ROUNDS; round++) {
        const division = this.#getPath(speakers.ofWindows, speakers.count);
        // One at a time: each holds a score for every step and speaker.
        if (!best || division.score > best.score) best = division;
        speakers = { ...speakers, ofWindows: this.#getWindows(division) };
      }
    }
    return best as Division;
  }

  /** Returns the speaker of each window. */
  #getWindows({ speakers }: Path): Int32Array<ArrayBuffer> {
    return Int32Array.from(this.#steps.ofWindows, (step) => speakers[step]);
  }

  /** Finds the likeliest sequence of speakers, each the mean of the windows that are theirs. */
  #getPath(ofWindows: Int32Array, count: number): Division {
    const members: number[][] = Array.from({ length: count }, () => []);
    ofWindows.forEach((speaker, window) => {
      members[speaker]?.push(window);
    });
    const cosines = new Float32Array(this.#middles.length * count);
    members.forEach((own, speaker) => {
      const mean = meanVector(this.#embeddings, own);
      for (let window = 0; window < this.#middles.length; window++) {
        cosines[window * count + speaker] = cosine(
          this.#embeddings.values,
          window * this.#embeddings.dimensions,
          mean,
        );
      }
    });
    const path = this.#steps.path(cosines, count);
    return {
      ...path,
      count,
      relation: () =>
        closestRelation(this.#embeddings, this.#middles, renumberByAppearance(this.#getWindows(path))),
    };
  }
}

/** Speaker of each window, and how many there are. */
interface WindowSpeakers {
  readonly ofWindows: Int32Array;
  readonly count: number;
}

/** Returns the speakers that a clustering finds. */
function getSpeakers({ points, sample, merges, sizeMin }: Start, count: number): WindowSpeakers {
  const clusters = clustersOfCount(merges, sizeMin, count);
  const centres = findCentres(sample, clusters);
  const windows = points.values.length / points.dimensions;
  const ofWindows = Int32Array.from({ length: windows }, (_, at) => findNearest(points, at, centres));
  return { ofWindows, count: centres.length };
}

function getStarts(embeddings: Points, middles: readonly number[]): Start[] {
  const averaged = averageNeighbours(embeddings, middles);
  const apart = subtractMean(averaged);
  const indices = sampleEvenly(middles.length);
  const from = (points: Points, linkage: Linkage, sizes: readonly number[]): Start[] => {
    const sample = pointsAt(points, indices);
    const merges = agglomerate(sample, linkage);
    return sizes.map((sizeMin) => ({ points, sample, merges, sizeMin }));
  };
  const [small, larger] = SMALLEST.map(({ windows, share }) => Math.max(windows, share * indices.length));
  return [
    ...from(apart, 'average', [small, larger]),
    ...from(apart, 'ward', [small]),
    ...from(averaged, 'average', [small]),
  ];
}

/**
 * Averages the embedding of each window with those of the windows next to it, which mostly have the same speaker: what
 * a window says differs from the next one's, who says it does not.
 * @param embeddings of windows in order
 * @param middles of the windows, in seconds
 * @returns vectors of length 1
 */
export function averageNeighbours({ dimensions, values }: Points, middles: readonly number[]): Points {
  const averaged = new Float32Array(values.length);
  for (let window = 0, from = 0; window < middles.length; window++) {
    const middle = middles[window];
    while (middle - middles[from] >= NEAR_SECONDS) from += 1;
    for (let near = from; near < middles.length; near++) {
      const weight = 1 - Math.abs(middles[near] - middle) / NEAR_SECONDS;
      if (weight <= 0) break;
      addScaled(averaged, window * dimensions, values.subarray(near * dimensions), weight, dimensions);
    }
  }
  return { dimensions, values: scaleToLengthOne(averaged, dimensions) };
}

/**
 * Takes away most of what all windows of a recording share, such as its room and its noise: what is left tells its
 * speakers apart.
 * @returns vectors of length 1
 */
export function subtractMean({ dimensions, values }: Points): Points {
  const count = values.length / dimensions;
  const mean = new Float32Array(dimensions);
  for (let point = 0; point < count; point++) {
    addScaled(mean, 0, values.subarray(point * dimensions), 1 / count, dimensions);
  }
  const rest = values.slice();
  for (let point = 0; point < count; point++) {
    addScaled(rest, point * dimensions, mean, -MEAN_SHARE, dimensions);
  }
  return { dimensions, values: scaleToLengthOne(rest, dimensions) };
}

function addScaled(
  target: Float32Array,
  from: number,
  added: Float32Array,
  weight: number,
  length: number,
): void {
  for (let at = 0; at < length; at++) {
    target[from + at] = target[from + at] + weight * added[at];
  }
}

function scaleToLengthOne(values: Float32Array, dimensions: number): Float32Array {
  for (let from = 0; from < values.length; from += dimensions) {
    const vector = values.subarray(from, from + dimensions);
    vector.set(toUnitLength(vector));
  }
  return values;
}

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
  const similarities = getSimilarities(embeddings, middles, speakers, count);
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
function getSimilarities(
  { dimensions, values }: Points,
  middles: readonly number[],
  speakers: ArrayLike<number>,
  count: number,
): Float64Array {
  const sizes = new Float64Array(count);
  const sums = Array.from({ length: count }, () => new Float32Array(dimensions));
  middles.forEach((_, window) => {
    const speaker = speakers[window];
    const sum = sums[speaker];
    sizes[speaker] = sizes[speaker] + 1;
    for (let at = 0; at < dimensions; at++) {
      sum[at] = sum[at] + values[window * dimensions + at];
    }
  });
  const cosines = Float64Array.from({ length: count ** 2 }, (_, at) =>
    cosine(sums[Math.floor(at / count)], 0, sums[at % count]),
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
