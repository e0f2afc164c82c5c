import { type SpeechRule, speechRegions, type TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { FRAME_SECONDS } from './voice-activity.ts';

/** Speech that was found in one channel. */
export interface Side {
  /** In order, apart from one another. */
  readonly regions: readonly TimeSpan[];
  /** Mean power of each frame of 32 ms. */
  readonly powers: readonly number[];
}

/** Power beside the other channel's speech at the same time from which speech is that channel's, not bleed: -10 dB. */
const BLEED_POWER = 0.1;
/** Frames to each side over which powers are averaged: about 0.3 s in all. */
const AROUND = 4;
/** Speech of a channel that is left without bleed. The shortest parts are ends of words and echoes. */
const OWN: SpeechRule = {
  onset: 0.5,
  offset: 0.5,
  speechSecondsMin: 0.5,
  pauseSecondsMin: 0.3,
  padSeconds: 0,
};
/** Speech that the quieter channel must have while the other one has none. In seconds. */
const ALONE_SECONDS_MIN = 1;
/** Share of its speech during which both may speak: two microphones in one room hear the same all the time. */
const TOGETHER_SHARE_MAX = 0.5;

/**
 * Tells whether two channels have speakers of their own, as calls and interviews are recorded, and takes the bleed of
 * each out of the other.
 * @returns the speech of each channel, in order; undefined where they do not
 */
export function separateSides(one: Side, other: Side): readonly [TimeSpan[], TimeSpan[]] | undefined {
  const frames = Math.max(one.powers.length, other.powers.length);
  const [first, second] = [heard(one, frames), heard(other, frames)];
  const owned = [ownFrames(first, second), ownFrames(second, first)] as const;
  const [firsts, seconds] = owned.map((own) => speechRegions(own, FRAME_SECONDS, OWN)) as [
    TimeSpan[],
    TimeSpan[],
  ];
  const least = Math.min(secondsOf(firsts), secondsOf(seconds));
  const together = secondsOf(sharedSpans(firsts, seconds));
  const isApart = least - together >= ALONE_SECONDS_MIN && together <= TOGETHER_SHARE_MAX * least;
  return isApart ? [firsts, seconds] : undefined;
}

/** Returns the total length of spans. */
export function secondsOf(spans: readonly TimeSpan[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Whether a channel has speech in each frame, and its power around it. */
interface HeardFrames {
  readonly isSpeech: Uint8Array;
  readonly powers: Float64Array;
}

function heard({ regions, powers }: Side, frames: number): HeardFrames {
  const isSpeech = new Uint8Array(frames);
  for (const { start, end } of regions)
    isSpeech.fill(1, Math.round(start / FRAME_SECONDS), Math.round(end / FRAME_SECONDS));
  const around = Float64Array.from({ length: frames }, (_, frame) => {
    let sum = 0;
    for (let at = frame - AROUND; at <= frame + AROUND; at++) sum += powers[at] ?? 0;
    return sum;
  });
  return { isSpeech, powers: around };
}

/** Returns 1 for each frame of speech that is no bleed of the other channel's. */
function ownFrames(own: HeardFrames, other: HeardFrames): Uint8Array {
  return own.isSpeech.map((isSpeech, frame) => {
    const isBleed = other.isSpeech[frame] === 1 && own.powers[frame] < BLEED_POWER * other.powers[frame];
    return isSpeech === 1 && !isBleed ? 1 : 0;
  });
}

/** Returns the spans that two have in common. @param ones and others in order, apart from one another */
function sharedSpans(ones: readonly TimeSpan[], others: readonly TimeSpan[]): TimeSpan[] {
  const shared: TimeSpan[] = [];
  for (let one = 0, other = 0; one < ones.length && other < others.length; ) {
    const [a, b] = [ones[one], others[other]];
    const [start, end] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
    if (start < end) shared.push({ start, end });
    if (a.end < b.end) one += 1;
    else other += 1;
  }
  return shared;
}
