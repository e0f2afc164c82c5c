import type { TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { FBANK_HOP, FBANK_RATE } from './fbank.ts';
import type { SpeechPart } from './find-speech.ts';

/** Frames of the filter bank, from `first` up to but without `end`. */
export interface FrameWindow {
  readonly first: number;
  readonly end: number;
}

const FRAMES_A_SECOND = FBANK_RATE / FBANK_HOP;
/** Frames of a whole window: 1.6 s. */
const WINDOW = 160;
const STEP = 40;
/** Frames of shorter speech that still becomes two windows: a short turn counts as one of its speaker all the same. */
const PAIR_MIN = 100;
/** Share of such speech that each of its two windows has. */
const PAIR_SHARE = 0.8;
/** Shorter speech shows too little of its speaker. */
const WINDOW_MIN = 40;

/**
 * Divides regions of speech into overlapping windows. A region shorter than a window becomes one, a very short one
 * none.
 */
export function speechWindows(regions: readonly TimeSpan[]): FrameWindow[] {
  return regions.flatMap(({ start, end }) => {
    const first = Math.round(start * FRAMES_A_SECOND);
    const last = Math.round(end * FRAMES_A_SECOND);
    if (last - first < WINDOW_MIN) return [];
    if (last - first < PAIR_MIN) return [{ first, end: last }];
    if (last - first <= WINDOW) {
      const length = Math.round(PAIR_SHARE * (last - first));
      return [
        { first, end: first + length },
        { first: last - length, end: last },
      ];
    }
    const count = Math.ceil((last - first - WINDOW) / STEP) + 1;
    const step = (last - first - WINDOW) / (count - 1);
    return Array.from({ length: count }, (_, at) => {
      const from = first + Math.round(at * step);
      return { first: from, end: from + WINDOW };
    });
  });
}

/** Speech in one part of the sound, divided into windows. */
export interface SpokenPart extends SpeechPart {
  /** At least one. */
  readonly windows: readonly FrameWindow[];
}

/** Divides the speech of each part into windows. Parts with too little speech for a window are left out. */
export function withWindows(parts: readonly SpeechPart[]): SpokenPart[] {
  return parts
    .map((part) => ({ ...part, windows: speechWindows(part.regions) }))
    .filter(({ windows }) => windows.length > 0);
}

/** Returns the middle of a window, in seconds. */
export function centreSeconds({ first, end }: FrameWindow): number {
  return (first + end) / 2 / FRAMES_A_SECOND;
}
