import { getFrameCount, type PcmChunk } from '../../core/runtime/audio-codec.ts';
import { type SpeechRule, speechRegions, type TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { FRAME_SECONDS } from './voice-activity.ts';

/** Time over which the phase of the two channels is judged again. */
const BLOCK_SECONDS = 0.05;
/** Time in which what was heard fades by a factor of e. */
const FALL_SECONDS = 1;
/** Correlation below which the right channel counts as inverted, and above which it no longer does. */
const INVERTED = { below: -0.5, above: -0.2 };

/**
 * Mixes the channels of a stream to mono, as the mean of both: of half their difference while one is the other's
 * inverse, which the mean would cancel. It judges by the correlation of the last second, and crosses over in a block.
 */
export class InPhaseMix {
  readonly #blockFrames: number;
  readonly #fall: number;
  #left = 0;
  #right = 0;
  #both = 0;
  /** Factor of the right channel, 1 or -1; 0 before the first block. */
  #sign = 0;

  constructor(sampleRate: number) {
    this.#blockFrames = Math.round(BLOCK_SECONDS * sampleRate);
    this.#fall = Math.exp(-BLOCK_SECONDS / FALL_SECONDS);
  }

  /** Returns the next frames as one channel. @param chunk one or two channels */
  push(chunk: PcmChunk): Float32Array<ArrayBuffer> {
    const [left = new Float32Array(0), right] = chunk;
    if (!right) return left;
    const mixed = new Float32Array(getFrameCount(chunk));
    for (let start = 0; start < mixed.length; start += this.#blockFrames) {
      const end = Math.min(mixed.length, start + this.#blockFrames);
      this.#hear(left.subarray(start, end), right.subarray(start, end));
      const before = this.#sign;
      this.#sign = this.#judge();
      const from = before || this.#sign;
      for (let at = start; at < end; at++) {
        const factor = from + ((this.#sign - from) * (at - start)) / (end - start);
        mixed[at] = (left[at] + factor * right[at]) / 2;
      }
    }
    return mixed;
  }

  #hear(left: Float32Array, right: Float32Array): void {
    let [lefts, rights, boths] = [0, 0, 0];
    for (let at = 0; at < left.length; at++) {
      const [l, r] = [left[at], right[at]];
      lefts += l * l;
      rights += r * r;
      boths += l * r;
    }
    this.#left = this.#left * this.#fall + lefts;
    this.#right = this.#right * this.#fall + rights;
    this.#both = this.#both * this.#fall + boths;
  }

  #judge(): number {
    const scale = Math.sqrt(this.#left * this.#right);
    const correlation = scale > 0 ? this.#both / scale : 0;
    return correlation < (this.#sign < 0 ? INVERTED.above : INVERTED.below) ? -1 : 1;
  }
}

/** Speech that was found in one channel. */
export interface Side {
  /** In order, apart from one another. */
  readonly regions: readonly TimeSpan[];
  /** Mean power of each frame of 32 ms. */
  readonly powers: readonly number[];
}

/** Power relative to the other channel's speech at the same time from which speech is that channel's, not bleed: -10 dB. */
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
  const least = Math.min(getSeconds(firsts), getSeconds(seconds));
  const together = getSeconds(sharedSpans(firsts, seconds));
  const isApart = least - together >= ALONE_SECONDS_MIN && together <= TOGETHER_SHARE_MAX * least;
  return isApart ? [firsts, seconds] : undefined;
}

/** Returns the total length of spans. */
export function getSeconds(spans: readonly TimeSpan[]): number {
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
export function sharedSpans(ones: readonly TimeSpan[], others: readonly TimeSpan[]): TimeSpan[] {
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
