import { pause } from '../../core/concurrency.ts';
import { mergeCloseSpans, type TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { renumberByAppearance } from './agglomerate.ts';
import { chooseDivision, RELATION_MAX_IN_PART } from './count-speakers.ts';
import { type Division, SpeechDivisions } from './divide-speech.ts';
import { type Segment, sortSegments } from './segment.ts';
import { EMBEDDING_LENGTH } from './speaker-embeddings.ts';
import { SpeechSteps } from './speech-steps.ts';
import { centreSeconds, type FrameWindow, type SpokenPart } from './speech-windows.ts';

/** Windows of a channel, about 5 s of speech, under which nothing tells its speakers apart: it is one person's. */
const WINDOWS_MIN = 10;

/** Speech in one part of the sound, with the embeddings of its windows, one after another. */
interface EmbeddedPart extends SpokenPart {
  readonly embeddings: Float32Array;
}

/** Pause within speech of one speaker that no segment ends for. */
const GAP_SECONDS = 0.3;
/** Steps of a turn that is given to a speaker who cannot be told from others: 0.5 s. */
const SHORT_STEPS = 5;
/** Steps for each speaker from which such turns are given: in less speech, turns are halved. */
const STEPS_EACH_MIN = 4 * SHORT_STEPS;

/** Divides speech among speakers. Hours of it take long: each division first looks whether the signal has aborted. */
export class SpeakerAssignment {
  readonly #steps: SpeechSteps;
  readonly #divisions: SpeechDivisions;
  readonly #windowCount: number;
  readonly #signal: AbortSignal;

  /**
   * @param regions of speech, in order
   * @param windows within the regions, in order; at least one
   * @param embeddings of the windows, one after another
   */
  constructor(
    regions: readonly TimeSpan[],
    windows: readonly FrameWindow[],
    embeddings: Float32Array,
    signal: AbortSignal,
  ) {
    const middles = windows.map(centreSeconds);
    this.#steps = new SpeechSteps(regions, middles);
    this.#divisions = new SpeechDivisions(
      this.#steps,
      { dimensions: EMBEDDING_LENGTH, values: embeddings },
      middles,
    );
    this.#windowCount = windows.length;
    this.#signal = signal;
  }

  /** Returns how well so many speakers fit the speech: sums over several parts of a recording can be compared. */
  async scoreAmong(speakerCount: number): Promise<number> {
    return (await this.#among(speakerCount)).score;
  }

  /**
   * Returns the segments of speakers in order of their starts, speakers numbered by first appearance. Finds the
   * likeliest sequence of speakers for each number of them, and chooses that number.
   * @param relationMax relation from which two speakers are one, where it is not the usual one
   */
  async segments(relationMax?: number): Promise<Segment[]> {
    const rule = relationMax === undefined ? {} : { relationMax };
    const { speakers } = await chooseDivision(this.#windowCount, this.#among, rule);
    return joinSteps(this.#steps.spans, renumberByAppearance(speakers));
  }

  /**
   * Returns the segments of so many speakers, where there are as many steps of 0.1 s. Speakers who cannot be told from
   * others get a short turn each, where another's voice fits worst, so that a known number makes no voice two.
   */
  async segmentsAmong(speakerCount: number): Promise<Segment[]> {
    const chosen = await chooseDivision(this.#windowCount, this.#among, { speakerCount });
    const { speakers, table, count } = chosen;
    giveEachATurn(speakers, table, count);
    const isLong = speakers.length >= STEPS_EACH_MIN * speakerCount;
    for (let further = count; further < speakerCount; further++) {
      if (!isLong || !giveWorstTurn(speakers, table, count, further)) halveLongestTurn(speakers, further);
    }
    return joinSteps(this.#steps.spans, renumberByAppearance(speakers));
  }

  readonly #among = async (speakerCount: number): Promise<Division> => {
    await pause(0, this.#signal);
    return this.#divisions.among(speakerCount);
  };
}

/** Gives each speaker without a turn the step that fits best, of one who has others. */
function giveEachATurn(path: Int32Array, table: Float32Array, speakers: number): void {
  for (let speaker = 0; speaker < speakers; speaker++) {
    if (path.includes(speaker)) continue;
    const turns = new Map<number, number>();
    for (const each of path) turns.set(each, (turns.get(each) ?? 0) + 1);
    let [best, bestGain] = [-1, Number.NEGATIVE_INFINITY];
    path.forEach((own, step) => {
      const score = (state: number) => table[step * speakers + state];
      const gain = score(speaker) - score(own);
      if ((turns.get(own) ?? 0) > 1 && gain > bestGain) [best, bestGain] = [step, gain];
    });
    if (best >= 0) path[best] = speaker;
  }
}

/**
 * Gives a further speaker the steps around the one that fits its speaker worst, within a turn that stays longer.
 * @returns whether there is such a turn
 */
function giveWorstTurn(path: Int32Array, table: Float32Array, speakers: number, further: number): boolean {
  let [from, worst] = [-1, Number.POSITIVE_INFINITY];
  for (let start = 0, end = 0; start < path.length; start = end) {
    const speaker = path[start];
    while (end < path.length && path[end] === speaker) end += 1;
    if (speaker >= speakers || end - start <= 2 * SHORT_STEPS) continue;
    for (let step = start; step < end; step++) {
      const score = table[step * speakers + speaker];
      if (score >= worst) continue;
      const first = Math.min(Math.max(start, step - (SHORT_STEPS >> 1)), end - SHORT_STEPS);
      [from, worst] = [first, score];
    }
  }
  if (from >= 0) path.fill(further, from, from + SHORT_STEPS);
  return from >= 0;
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
    const speaker = speakers[at];
    const last = segments.at(-1);
    if (last?.speaker === speaker && start - last.end < GAP_SECONDS) {
      segments[segments.length - 1] = { speaker, start: last.start, end };
    } else segments.push({ speaker, start, end });
  });
  return segments;
}

/**
 * Divides the speech of each part of the sound among speakers. No speaker is in two parts.
 * @param speakerCount of all parts together; estimated when absent. Fewer than parts are understood as one in each
 * @returns segments of each part in order of their starts, speakers of each numbered from 0 by first appearance
 */
export async function assignParts(
  parts: readonly EmbeddedPart[],
  signal: AbortSignal,
  speakerCount?: number,
): Promise<Segment[][]> {
  const assignments = parts.map(
    ({ regions, windows, embeddings }) => new SpeakerAssignment(regions, windows, embeddings, signal),
  );
  const counts = speakerCount === undefined ? null : await shareSpeakers(assignments, speakerCount);
  const segments: Segment[][] = [];
  for (const [at, assignment] of assignments.entries()) {
    const isAlone = parts.length > 1 && parts[at].windows.length < WINDOWS_MIN;
    const relationMax = parts.length > 1 ? RELATION_MAX_IN_PART : undefined;
    const known = counts?.[at] ?? (isAlone ? 1 : undefined);
    segments.push(
      await (known === undefined ? assignment.segments(relationMax) : assignment.segmentsAmong(known)),
    );
  }
  return segments;
}

/**
 * Joins the turns of all parts into one sequence.
 * @param parts turns in order of their starts, the speakers of each part numbered from 0
 * @param speakerCount that is known; where it is 1, all turns are that speaker's
 * @returns turns in order of their starts, speakers numbered by first appearance
 */
export function joinParts(parts: readonly (readonly Segment[])[], speakerCount?: number): readonly Segment[] {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  if (speakerCount === 1) {
    const spans = parts.flat().toSorted((one, other) => one.start - other.start);
    return mergeCloseSpans(spans, 0).map(({ start, end }) => ({ speaker: 0, start, end }));
  }
  let first = 0;
  const apart = parts.flatMap((segments) => {
    const own = segments.map((segment) => ({ ...segment, speaker: first + segment.speaker }));
    first += Math.max(-1, ...segments.map(({ speaker }) => speaker)) + 1;
    return own;
  });
  return sortSegments(apart);
}

/** Gives each part one speaker, and one after the other the rest to where a further one fits best. */
async function shareSpeakers(
  assignments: readonly SpeakerAssignment[],
  speakerCount: number,
): Promise<number[]> {
  const [only] = assignments;
  if (only && assignments.length === 1) return [speakerCount];
  const counts = assignments.map(() => 1);
  const getGain = async (assignment: SpeakerAssignment, count: number) =>
    (await assignment.scoreAmong(count + 1)) - (await assignment.scoreAmong(count));
  const gains = await Promise.all(assignments.map((assignment) => getGain(assignment, 1)));
  for (let given = counts.length; given < speakerCount; given++) {
    const at = gains.indexOf(Math.max(...gains));
    const count = counts[at] + 1;
    counts[at] = count;
    gains[at] = await getGain(assignments[at], count);
  }
  return counts;
}
