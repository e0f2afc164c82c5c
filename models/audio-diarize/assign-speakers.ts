import type { TimeSpan } from '../kernels/audio/speech-regions.ts';
import { numberedByAppearance } from '../kernels/cluster/agglomerate.ts';
import { likeliestPath } from '../kernels/cluster/likeliest-path.ts';
import { countSpeakers } from './count-speakers.ts';
import { cosine, findSpeakers } from './find-speakers.ts';
import { EMBEDDING_LENGTH } from './speaker-embeddings.ts';
import { type FrameWindow, middleSeconds } from './speech-windows.ts';

/** Speech of one speaker, in seconds. */
export interface Segment extends TimeSpan {
  readonly speaker: number;
}

/** Fewer windows, or a smaller share of them, are part of the most similar speaker's. */
const WINDOWS_MIN = 3;
const SHARE_MIN = 0.04;
/** Time between steps of the segmentation. */
const STEP_SECONDS = 0.1;
/** Steepness of a step's score over the cosine to a speaker's mean embedding. */
const COSINE_SCALE = 8;
/** Score that a change of speaker within speech costs. */
const CHANGE_PENALTY = 6;
/** Pause within speech of one speaker that no segment ends for. */
const GAP_SECONDS = 0.3;

/**
 * Divides speech among speakers: clusters the embeddings of its windows, then finds the likeliest sequence of speakers.
 * @param regions of speech, in order
 * @param windows within the regions, in order; at least one
 * @param embeddings of the windows, one after another
 * @param speakerCount forces that number; estimated when absent
 * @returns segments in order of their starts, speakers numbered by first appearance
 */
export function assignSpeakers(
  regions: readonly TimeSpan[],
  windows: readonly FrameWindow[],
  embeddings: Float32Array,
  speakerCount?: number,
): Segment[] {
  const sizeMin = Math.max(WINDOWS_MIN, SHARE_MIN * windows.length);
  const points = { dimensions: EMBEDDING_LENGTH, values: embeddings };
  const centres = findSpeakers(
    points,
    { linkage: 'average', sizeMin },
    { speakerCount: speakerCount ?? countSpeakers(points, windows.map(middleSeconds)) },
  );
  const scores = windows.map((_, at) =>
    centres.map((centre) => COSINE_SCALE * cosine(embeddings, at * EMBEDDING_LENGTH, centre)),
  );
  const steps = regions.flatMap(stepsOf);
  const table = scoreSteps(steps, windows, scores, centres.length);
  const path = likeliestPath(table, centres.length, CHANGE_PENALTY);
  if (speakerCount !== undefined) giveEachATurn(path, table, centres.length);
  return joinSteps(steps, numberedByAppearance(path));
}

/** Gives each speaker without a turn the step that fits best, of one who has others. */
function giveEachATurn(path: Int32Array, table: Float32Array, speakers: number): void {
  for (let speaker = 0; speaker < speakers; speaker++) {
    if (path.includes(speaker)) continue;
    const turns = new Map<number, number>();
    for (const each of path) turns.set(each, (turns.get(each) ?? 0) + 1);
    let [best, bestGain] = [-1, Number.NEGATIVE_INFINITY];
    path.forEach((own, step) => {
      const score = (state: number) => table[step * speakers + state] as number;
      const gain = score(speaker) - score(own);
      if ((turns.get(own) ?? 0) > 1 && gain > bestGain) [best, bestGain] = [step, gain];
    });
    if (best >= 0) path[best] = speaker;
  }
}

function stepsOf({ start, end }: TimeSpan): TimeSpan[] {
  const count = Math.max(1, Math.round((end - start) / STEP_SECONDS));
  const length = (end - start) / count;
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * length,
    end: start + (at + 1) * length,
  }));
}

/** Scores each speaker at each step, by the windows around it: the nearer their middle, the more they count. */
function scoreSteps(
  steps: readonly TimeSpan[],
  windows: readonly FrameWindow[],
  scores: readonly (readonly number[])[],
  speakers: number,
): Float32Array {
  const middles = windows.map(middleSeconds);
  const table = new Float32Array(steps.length * speakers);
  let nearest = 0;
  steps.forEach(({ start, end }, step) => {
    const middle = (start + end) / 2;
    const distance = (at: number) => Math.abs((middles[at] as number) - middle);
    while (nearest + 1 < middles.length && distance(nearest + 1) <= distance(nearest)) nearest += 1;
    const side = (middles[nearest] as number) > middle ? nearest - 1 : nearest + 1;
    const hasSide = side >= 0 && side < middles.length && distance(side) < 1;
    const share = hasSide ? distance(side) / (distance(side) + distance(nearest)) : 1;
    for (let speaker = 0; speaker < speakers; speaker++) {
      const own = scores[nearest]?.[speaker] ?? 0;
      const other = hasSide ? (scores[side]?.[speaker] ?? 0) : 0;
      table[step * speakers + speaker] = share * own + (1 - share) * other;
    }
  });
  return table;
}

function joinSteps(steps: readonly TimeSpan[], speakers: Int32Array): Segment[] {
  const segments: Segment[] = [];
  steps.forEach(({ start, end }, at) => {
    const speaker = speakers[at] as number;
    const last = segments.at(-1);
    if (last?.speaker === speaker && start - last.end < GAP_SECONDS) {
      segments[segments.length - 1] = { speaker, start: last.start, end };
    } else segments.push({ speaker, start, end });
  });
  return segments;
}
