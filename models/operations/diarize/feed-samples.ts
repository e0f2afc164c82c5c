import { type DecodedAudio, getFrameCount, type PcmChunk } from '../../core/runtime/audio-codec.ts';
import type { Inference } from '../../core/runtime/inference.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import { minuteProgress } from '../../media/audio/minute-progress.ts';
import { type Echo, EchoFilter } from './echo.ts';
import { Fbank } from './fbank.ts';
import { InPhaseMix } from './separate-sides.ts';

/** Poles of a Butterworth filter of fourth order, as the Q of two sections. */
const SECTION_QS = [0.541_196_1, 1.306_563];

/** Coefficients of a section, divided by the first one of the output, and its last values. */
interface Section {
  readonly b0: number;
  readonly b1: number;
  readonly a1: number;
  readonly a2: number;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/**
 * High-pass filter of a stream: Butterworth of fourth order, -3 dB at the cutoff and 24 dB an octave below it. Its
 * sections follow R. Bristow-Johnson's Audio EQ Cookbook. It starts as if the first sample had always been, so that a
 * constant is silent from the start.
 */
export class HighPass {
  readonly #sections: readonly Section[];
  #isNew = true;

  constructor(cutoffHertz: number, sampleRate: number) {
    this.#sections = SECTION_QS.map((q) => createSection((2 * Math.PI * cutoffHertz) / sampleRate, q));
  }

  /** Filters the next samples in place. */
  apply(samples: Float32Array): void {
    const [first] = this.#sections;
    if (this.#isNew && first && samples.length > 0) {
      first.x1 = samples[0];
      first.x2 = samples[0];
      this.#isNew = false;
    }
    for (const section of this.#sections) filterBy(section, samples);
  }
}

/** Time over which the filter is judged again. */
const BLOCK_SECONDS = 0.05;

/** Time in which what was heard fades by a factor of e: pauses between sentences change nothing. */
const FALL_SECONDS = 10;

/** Power below the cutoff, relative to that above it, from which it is taken away, and under which it no longer is. */
const RUMBLE = { from: 1, until: 0.5 };

/**
 * Takes DC offset, rumble and hum away from a stream where they are louder than all above the cutoff. Other sound stays
 * as it is, sample by sample. It crosses over within a block.
 */
export class RumbleFilter {
  readonly #highPass: HighPass;
  readonly #blockFrames: number;
  readonly #fall: number;
  #low = 0;
  #high = 0;
  /** Share of the filtered sound, 0 or 1; null before the first block. */
  #share: 0 | 1 | null = null;

  constructor(cutoffHertz: number, sampleRate: number) {
    this.#highPass = new HighPass(cutoffHertz, sampleRate);
    this.#blockFrames = Math.round(BLOCK_SECONDS * sampleRate);
    this.#fall = Math.exp(-BLOCK_SECONDS / FALL_SECONDS);
  }

  /** Filters the next samples in place. */
  apply(samples: Float32Array): void {
    for (let start = 0; start < samples.length; start += this.#blockFrames) {
      this.#filter(samples.subarray(start, start + this.#blockFrames));
    }
  }

  #filter(block: Float32Array): void {
    const filtered = block.slice();
    this.#highPass.apply(filtered);
    const high = getEnergy(filtered);
    this.#high = this.#high * this.#fall + high;
    this.#low = this.#low * this.#fall + Math.max(0, getEnergy(block) - high);
    const share = this.#low > this.#high * (this.#share ? RUMBLE.until : RUMBLE.from) ? 1 : 0;
    const from = this.#share ?? share;
    this.#share = share;
    if (from === 0 && share === 0) return;
    for (let at = 0; at < block.length; at++) {
      const part = from + ((share - from) * at) / block.length;
      block[at] = (1 - part) * block[at] + part * filtered[at];
    }
  }
}

export interface DiarizeOptions {
  readonly inference: Inference;
  readonly signal: AbortSignal;
  /** Forces that number of speakers; estimated when absent. */
  readonly speakerCount?: number;
}

/** Analysis of a stream that comes in pieces. */
interface Sink<Piece> {
  push(piece: Piece): Promise<void>;
  finish(): Promise<void>;
}

/** Analysis of samples, mono, 16 kHz. */
export type SampleSink = Sink<Float32Array>;

/** Cutoff of the filter: below are DC offset, rumble and hum, but hardly any voice. */
const VOICE_HERTZ_MIN = 80;

/** Part of stereo sound in which voices are heard: both channels, mixed in phase, or one of them. */
export type VoiceChannel = 'mix' | 'left' | 'right';

/**
 * Decodes audio into an analysis of each wanted part of its sound, and reports the minutes done. Rumble that drowns
 * voices is left out.
 * @param options `hear` is called with each chunk as it was decoded; `echo` is taken away
 */
export async function feedChannels(
  audio: DecodedAudio,
  sinks: ReadonlyMap<VoiceChannel, SampleSink>,
  progress: ReportProgress,
  { hear, echo = null }: { readonly hear?: (chunk: PcmChunk) => void; readonly echo?: Echo | null } = {},
): Promise<void> {
  const report = minuteProgress(audio, progress);
  const feeds = [...sinks].map(([channel, sink]) => ({
    filter: new VoiceFilter(channel, audio.sampleRate, echo),
    sink,
  }));
  let frames = 0;
  for await (const chunk of audio.chunks()) {
    hear?.(chunk);
    for (const { filter, sink } of feeds) await sink.push(filter.push(chunk));
    frames += getFrameCount(chunk);
    report(frames);
  }
  for (const { sink } of feeds) await sink.finish();
}

/** Filter that takes one part of stereo sound, without its rumble. */
class VoiceFilter {
  readonly #channel: VoiceChannel;
  readonly #mix: InPhaseMix;
  readonly #rumbleFilter: RumbleFilter;
  readonly #echoFilter: EchoFilter | null;

  constructor(channel: VoiceChannel, sampleRate: number, echo: Echo | null) {
    this.#channel = channel;
    this.#mix = new InPhaseMix(sampleRate);
    this.#rumbleFilter = new RumbleFilter(VOICE_HERTZ_MIN, sampleRate);
    this.#echoFilter = echo && new EchoFilter(echo);
  }

  push(chunk: PcmChunk): Float32Array<ArrayBuffer> {
    const side = chunk[this.#channel === 'right' ? 1 : 0] ?? chunk[0];
    const samples = this.#channel === 'mix' || !side ? this.#mix.push(chunk) : side.slice();
    this.#rumbleFilter.apply(samples);
    this.#echoFilter?.apply(samples);
    return samples;
  }
}

/** Joins analyses into one, so that the audio is decoded once. */
export function joinSinks<Piece>(...sinks: readonly Sink<Piece>[]): Sink<Piece> {
  return {
    async push(piece) {
      for (const sink of sinks) await sink.push(piece);
    },
    async finish() {
      for (const sink of sinks) await sink.finish();
    },
  };
}

/**
 * Joins analyses of frames into one of samples, so that the filter bank, which takes the most time, is computed once.
 */
export function filterBank(...sinks: readonly Sink<readonly Float32Array[]>[]): SampleSink {
  const fbank = new Fbank();
  const joined = joinSinks(...sinks);
  return {
    async push(samples) {
      await joined.push(fbank.push(samples));
    },
    finish: () => joined.finish(),
  };
}

function getEnergy(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}

function createSection(omega: number, q: number): Section {
  const cosine = Math.cos(omega);
  const alpha = Math.sin(omega) / (2 * q);
  const a0 = 1 + alpha;
  return {
    b0: (1 + cosine) / 2 / a0,
    b1: -(1 + cosine) / a0,
    a1: (-2 * cosine) / a0,
    a2: (1 - alpha) / a0,
    x1: 0,
    x2: 0,
    y1: 0,
    y2: 0,
  };
}

function filterBy(section: Section, samples: Float32Array): void {
  const { b0, b1, a1, a2 } = section;
  let { x1, x2, y1, y2 } = section;
  for (let at = 0; at < samples.length; at++) {
    const x = samples[at];
    const y = b0 * (x + x2) + b1 * x1 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    samples[at] = y;
  }
  Object.assign(section, { x1, x2, y1, y2 });
}
