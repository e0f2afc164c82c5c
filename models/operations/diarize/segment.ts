import { mergeCloseSpans, type TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { renumberByAppearance } from './agglomerate.ts';

/** In Hz. */
export const SAMPLE_RATE = 16_000;

/**
 * Samples from one frame of the segmentation to the next, and to the middle of the first: its receptive field has 991.
 */
export const FRAME_STEP = 270;
export const FRAME_OFFSET = 495;
export const FRAME_SECONDS = FRAME_STEP / SAMPLE_RATE;
/** Speakers that the classes of pyannote's segmentation stand for, as bits: none, each of three, each two of them. */
const CLASSES = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110];
/** Number of speakers that a powerset tells apart. */
export const LOCAL_SPEAKERS = 3;
export const POWERSET_CLASSES = CLASSES.length;

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
export function getTurns(
  speaker: number,
  isOn: Uint8Array,
  endSeconds: number,
  { gapSeconds, turnSecondsMin }: TurnRule,
): Segment[] {
  return mergeCloseSpans(getSpans(isOn, endSeconds), gapSeconds)
    .filter(({ start, end }) => end - start >= turnSecondsMin)
    .map((span) => ({ ...span, speaker }));
}

/**
 * Decodes scores of sets of speakers.
 * @param scores frames x 7, row by row; the highest of a row counts
 * @returns the speakers of each frame, as bits
 */
export function decodePowerset(scores: Float32Array): Uint8Array {
  return Uint8Array.from({ length: scores.length / CLASSES.length }, (_, frame) => {
    const row = scores.subarray(frame * CLASSES.length, (frame + 1) * CLASSES.length);
    return CLASSES[row.indexOf(Math.max(...row))] ?? 0;
  });
}

/** Returns the time at which a frame begins, within the audio, in seconds. */
export function startOfFrame(frame: number, endSeconds: number): number {
  const start = (FRAME_OFFSET - FRAME_STEP / 2) / SAMPLE_RATE + frame * FRAME_SECONDS;
  return Math.min(endSeconds, Math.max(0, start));
}

/** Returns the first frame whose middle is not before a time. */
export function frameFrom(seconds: number): number {
  return Math.max(0, Math.ceil((seconds * SAMPLE_RATE - FRAME_OFFSET) / FRAME_STEP));
}

/** Returns the spans of consecutive frames that are on. */
function getSpans(isOn: ArrayLike<number>, endSeconds: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let first = -1;
  for (let frame = 0; frame <= isOn.length; frame++) {
    if (isOn[frame] && first < 0) first = frame;
    if (isOn[frame] || first < 0) continue;
    spans.push({ start: startOfFrame(first, endSeconds), end: startOfFrame(frame, endSeconds) });
    first = -1;
  }
  return spans;
}
