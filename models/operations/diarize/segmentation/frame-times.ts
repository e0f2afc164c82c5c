import type { TimeSpan } from '../../../kernels/audio/speech-regions.ts';

/** In Hz. */
export const SAMPLE_RATE = 16_000;
/**
 * Samples from one frame of the segmentation to the next, and to the middle of the first: its receptive field has 991.
 */
export const FRAME_STEP = 270;
export const FRAME_OFFSET = 495;
export const FRAME_SECONDS = FRAME_STEP / SAMPLE_RATE;

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
export function getSpans(isOn: ArrayLike<number>, endSeconds: number): TimeSpan[] {
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
