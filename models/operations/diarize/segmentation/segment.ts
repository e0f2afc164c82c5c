import { mergeCloseSpans, type TimeSpan } from '../../../kernels/audio/speech-regions.ts';
import { renumberByAppearance } from '../clustering/agglomerate.ts';
import { spansOf } from './frame-times.ts';

/** Speech of one speaker, in seconds. */
export interface Segment extends TimeSpan {
  readonly speaker: number;
}

/** Sorts segments by their starts, and numbers speakers by first appearance. */
export function sortSegments(segments: readonly Segment[]): Segment[] {
  const sorted = segments.toSorted((one, other) => one.start - other.start);
  const numbers = renumberByAppearance(sorted.map(({ speaker }) => speaker));
  return sorted.map((segment, at) => ({ ...segment, speaker: numbers[at] }));
}

/** Times that shape the turns of a speaker, in seconds. */
export interface TurnRule {
  /** Shorter pauses are closed. */
  readonly gapSeconds: number;
  /** Shorter turns are dropped. */
  readonly turnSecondsMin: number;
}

/** Returns the turns of one speaker. @param isOn whether the speaker is heard, by frame */
export function turnsOf(
  speaker: number,
  isOn: Uint8Array,
  endSeconds: number,
  { gapSeconds, turnSecondsMin }: TurnRule,
): Segment[] {
  return mergeCloseSpans(spansOf(isOn, endSeconds), gapSeconds)
    .filter(({ start, end }) => end - start >= turnSecondsMin)
    .map((span) => ({ ...span, speaker }));
}
