import type { TimeSpan } from '../kernels/audio/speech-regions.ts';
import { renumberByAppearance } from '../kernels/cluster/agglomerate.ts';
import { chooseDivision } from './count-speakers.ts';
import { SpeechDivisions } from './divide-speech.ts';
import type { Segment } from './segmentation/segment.ts';
import { EMBEDDING_LENGTH } from './speaker-embeddings.ts';
import { SpeechSteps } from './speech-steps.ts';
import { centreSeconds, type FrameWindow } from './speech-windows.ts';

/** Pause within speech of one speaker that no segment ends for. */
const GAP_SECONDS = 0.3;

/**
 * Divides speech among speakers: clusters the embeddings of its windows, finds the likeliest sequence of speakers for
 * each number of them, and chooses that number.
 * @param regions of speech, in order
 * @param windows within the regions, in order; at least one
 * @param embeddings of the windows, one after another
 * @param speakerCount forces that number, where there are as many steps of 0.1 s; estimated when absent
 * @returns segments in order of their starts, speakers numbered by first appearance
 */
export function assignSpeakers(
  regions: readonly TimeSpan[],
  windows: readonly FrameWindow[],
  embeddings: Float32Array,
  speakerCount?: number,
): Segment[] {
  const points = { dimensions: EMBEDDING_LENGTH, values: embeddings };
  const middles = windows.map(centreSeconds);
  const steps = new SpeechSteps(regions, middles);
  const divisions = new SpeechDivisions(steps, points, middles);
  if (speakerCount === undefined) {
    const { speakers } = chooseDivision(windows.length, (count) => divisions.among(count));
    return joinSteps(steps.spans, renumberByAppearance(speakers));
  }
  const { speakers, table, count } = divisions.among(speakerCount);
  giveEachATurn(speakers, table, count);
  for (let further = count; further < speakerCount; further++) halveLongestTurn(speakers, further);
  return joinSteps(steps.spans, renumberByAppearance(speakers));
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

/** Gives the second half of the longest turn to a further speaker, where there are too few windows to find one. */
function halveLongestTurn(path: Int32Array, further: number): void {
  let [first, longest] = [0, 0];
  for (let step = 0, start = 0; step < path.length; step++) {
    if (path[step] !== path[start]) start = step;
    if (step + 1 - start > longest) [first, longest] = [start, step + 1 - start];
  }
  if (longest > 1) path.fill(further, first + Math.ceil(longest / 2), first + longest);
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
