import type { AcceptanceTask } from '../core/runtime/acceptance-test.ts';

/** Speech of a speaker, in seconds. */
export interface SpokenSegment {
  readonly speaker: string | number;
  readonly start: number;
  readonly end: number;
}

/** Seconds of a recording's errors, and of its speech, overlapping speech counted for each speaker. */
interface DiarizationError {
  readonly missed: number;
  readonly falseAlarm: number;
  readonly confusion: number;
  readonly speech: number;
}

const STEP_SECONDS = 0.01;
/** Length of the conversation, in seconds. */
const SECONDS = 30;
/** Seconds around each boundary of the truth that are not scored. */
const COLLAR = 0.25;

/** Measures the diarization error on a conversation of three, 0 for none: above 1 it is worse than silence. */
export async function measureFigure({ engine, sample, run, time }: AcceptanceTask): Promise<number> {
  const [conversation, truth] = await Promise.all([sample('conversation.mp3'), sample('conversation.json')]);
  const files = await time(SECONDS, () => run(conversation, { engine }));
  const { segments }: { segments: readonly SpokenSegment[] } = JSON.parse(
    (await files.get('output.json')?.text()) ?? '{"segments":[]}',
  );
  return errorPercent(diarizationError(JSON.parse(await truth.text()), segments, COLLAR)) / 100;
}

/**
 * Measures the diarization error, after NIST's md-eval: with the best mapping of speakers, overlapping speech scored.
 * @param collar seconds around each boundary of the truth that are not scored
 */
export function diarizationError(
  truth: readonly SpokenSegment[],
  found: readonly SpokenSegment[],
  collar: number,
): DiarizationError {
  const steps = Math.ceil(Math.max(0, ...[...truth, ...found].map(({ end }) => end)) / STEP_SECONDS);
  const isScored = scoredSteps(truth, steps, collar);
  const [wanted, heard] = [activities(truth, steps), activities(found, steps)];
  const together = wanted.map((one) =>
    heard.map((other) => countSteps(isScored, (at) => one[at] && other[at])),
  );
  let [missed, falseAlarm, shared, speech] = [0, 0, 0, 0];
  for (let at = 0; at < steps; at++) {
    if (!isScored[at]) continue;
    const spoken = wanted.reduce((sum, each) => sum + each[at], 0);
    const said = heard.reduce((sum, each) => sum + each[at], 0);
    missed += Math.max(0, spoken - said);
    falseAlarm += Math.max(0, said - spoken);
    shared += Math.min(spoken, said);
    speech += spoken;
  }
  const confusion = shared - bestMapping(together);
  const seconds = (count: number) => count * STEP_SECONDS;
  return {
    missed: seconds(missed),
    falseAlarm: seconds(falseAlarm),
    confusion: seconds(confusion),
    speech: seconds(speech),
  };
}

/** Returns the errors' share of the speech, in percent. */
export function errorPercent({ missed, falseAlarm, confusion, speech }: DiarizationError): number {
  return (100 * (missed + falseAlarm + confusion)) / speech;
}

function scoredSteps(truth: readonly SpokenSegment[], steps: number, collar: number): Uint8Array {
  const isScored = new Uint8Array(steps).fill(1);
  for (const boundary of truth.flatMap(({ start, end }) => [start, end])) {
    isScored.fill(0, ...getSteps(boundary - collar, boundary + collar));
  }
  return isScored;
}

/** Returns, for each speaker, 1 at the steps with speech. */
function activities(segments: readonly SpokenSegment[], steps: number): Uint8Array[] {
  const speakers = new Map<string | number, Uint8Array>();
  for (const { speaker, start, end } of segments) {
    const activity = speakers.get(speaker) ?? new Uint8Array(steps);
    speakers.set(speaker, activity.fill(1, ...getSteps(start, end)));
  }
  return [...speakers.values()];
}

function getSteps(start: number, end: number): [number, number] {
  return [Math.max(0, Math.round(start / STEP_SECONDS)), Math.max(0, Math.round(end / STEP_SECONDS))];
}

function countSteps(isScored: Uint8Array, isCounted: (at: number) => number | undefined): number {
  return isScored.reduce((sum, scored, at) => sum + (scored && isCounted(at) ? 1 : 0), 0);
}

/** Returns the largest sum over pairs of different rows and columns, by dynamic programming over sets of columns. */
function bestMapping(table: readonly (readonly number[])[]): number {
  let best = new Map([[0, 0]]);
  for (const row of table) {
    const next = new Map(best);
    for (const [taken, sum] of best) {
      row.forEach((value, column) => {
        const bit = 1 << column;
        if (taken & bit || value === 0) return;
        next.set(taken | bit, Math.max(next.get(taken | bit) ?? 0, sum + value));
      });
    }
    best = next;
  }
  return Math.max(...best.values());
}
