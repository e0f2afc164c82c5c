import type { TimeSpan } from '../../kernels/audio/speech-regions.ts';

/** Time between steps of the segmentation. */
const STEP_SECONDS = 0.1;

/** Steepness of a step's score over the cosine to a speaker's mean embedding. */
export const COSINE_SCALE = 8;

/** Score that a change of speaker within speech costs. */
const CHANGE_PENALTY = 5;

/** A window this far from a step tells nothing next to a nearer one. In seconds. */
const FAR_SECONDS = 1;

/** Likeliest speakers of steps. */
export interface Path {
  readonly speakers: Int32Array;
  /** Sum of the steps' scores, less the penalties. */
  readonly score: number;
  /** Scores of the speakers at each step, row by row. */
  readonly table: Float32Array;
}

/** The two windows that tell about a step, and the share of the nearest. */
interface StepWindows {
  readonly nearest: number;
  readonly other: number;
  readonly share: number;
}

/** Steps of speech, each with the windows around it. */
export class SpeechSteps {
  readonly spans: readonly TimeSpan[];
  /** Step nearest to the middle of each window. */
  readonly ofWindows: Int32Array;
  readonly #windows: readonly StepWindows[];

  /**
   * @param regions of speech, in order
   * @param middles of the windows, in seconds, in order; at least one
   */
  constructor(regions: readonly TimeSpan[], middles: readonly number[]) {
    this.spans = regions.flatMap(divided);
    this.#windows = windowsOfSteps(this.spans, middles);
    this.ofWindows = nearestSteps(this.spans, middles);
  }

  /**
   * Finds the likeliest sequence of speakers.
   * @param cosines between each window and each speaker, row by row
   */
  path(cosines: Float32Array, speakers: number): Path {
    const table = new Float32Array(this.spans.length * speakers);
    this.#windows.forEach(({ nearest, other, share }, step) => {
      for (let speaker = 0; speaker < speakers; speaker++) {
        const own = cosines[nearest * speakers + speaker];
        const side = cosines[other * speakers + speaker];
        table[step * speakers + speaker] = COSINE_SCALE * (share * own + (1 - share) * side);
      }
    });
    const path = viterbiPath(table, speakers, CHANGE_PENALTY);
    return { speakers: path, score: getScore(path, table, speakers), table };
  }
}

function getScore(path: Int32Array, table: Float32Array, speakers: number): number {
  return path.reduce((sum, speaker, step) => {
    const penalty = step > 0 && path[step - 1] !== speaker ? CHANGE_PENALTY : 0;
    return sum + table[step * speakers + speaker] - penalty;
  }, 0);
}

function divided({ start, end }: TimeSpan): TimeSpan[] {
  const count = Math.max(1, Math.round((end - start) / STEP_SECONDS));
  const length = (end - start) / count;
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * length,
    end: start + (at + 1) * length,
  }));
}

function getMiddle({ start, end }: TimeSpan): number {
  return (start + end) / 2;
}

/** Finds, for each step, the nearest window, and the one on its other side: the nearer, the more it counts. */
function windowsOfSteps(steps: readonly TimeSpan[], middles: readonly number[]): StepWindows[] {
  let nearest = 0;
  return steps.map((step) => {
    const middle = getMiddle(step);
    const distance = (at: number) => Math.abs(middles[at] - middle);
    while (nearest + 1 < middles.length && distance(nearest + 1) <= distance(nearest)) nearest += 1;
    const side = middles[nearest] > middle ? nearest - 1 : nearest + 1;
    const hasSide = side >= 0 && side < middles.length && distance(side) < FAR_SECONDS;
    if (!hasSide) return { nearest, other: nearest, share: 1 };
    return { nearest, other: side, share: distance(side) / (distance(side) + distance(nearest)) };
  });
}

function nearestSteps(steps: readonly TimeSpan[], middles: readonly number[]): Int32Array {
  let nearest = 0;
  return Int32Array.from(middles, (middle) => {
    const distance = (at: number) => Math.abs(getMiddle(steps[at]) - middle);
    while (nearest + 1 < steps.length && distance(nearest + 1) <= distance(nearest)) nearest += 1;
    return nearest;
  });
}

/**
 * Finds the sequence of states with the highest sum of scores, less a penalty for each change of state (Viterbi).
 * @param scores `steps` x `states`, row by row
 * @returns the state of each step
 */
export function viterbiPath(scores: Float32Array, states: number, changePenalty: number): Int32Array {
  const steps = scores.length / states;
  const from = new Int32Array(scores.length);
  let sums = new Float64Array(states);
  for (let step = 0; step < steps; step++) {
    const best = indexOfLargest(sums);
    const next = new Float64Array(states);
    for (let state = 0; state < states; state++) {
      const changes = sums[best] - changePenalty > sums[state];
      const before = changes ? best : state;
      from[step * states + state] = before;
      next[state] = sums[before] - (changes ? changePenalty : 0) + scores[step * states + state];
    }
    sums = next;
  }
  const path = new Int32Array(steps);
  let state = indexOfLargest(sums);
  for (let step = steps - 1; step >= 0; step--) {
    path[step] = state;
    state = from[step * states + state];
  }
  return path;
}

function indexOfLargest(values: Float64Array): number {
  let largest = 0;
  for (let at = 1; at < values.length; at++) {
    if (values[at] > values[largest]) largest = at;
  }
  return largest;
}
