import type { DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { Inference } from '../../core/runtime/inference.ts';
import { frameCountOf, type PcmChunk } from '../../core/runtime/pcm.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import { Fbank } from './kernels/fbank.ts';
import { InPhaseMix } from './kernels/mix-in-phase.ts';
import { RumbleFilter } from './kernels/rumble-filter.ts';

export interface DiarizeOptions {
  readonly inference: Inference;
  readonly signal: AbortSignal;
  /** Forces that number of speakers; estimated when absent. */
  readonly speakerCount?: number;
}

/** Analysis of a stream of samples. */
export interface SampleSink {
  /** @param samples mono, 16 kHz */
  push(samples: Float32Array): Promise<void>;
  finish(): Promise<void>;
}

/** Cutoff of the filter: below are DC offset, rumble and hum, but hardly any voice. */
const VOICE_HERTZ_MIN = 80;

/** Part of stereo sound in which voices are heard: both channels, mixed in phase, or one of them. */
export type VoiceChannel = 'mix' | 'left' | 'right';

/** Decodes audio into an analysis of one part of its sound, and reports the minutes done. */
export async function feedSamples(
  audio: DecodedAudio,
  sink: SampleSink,
  progress: ReportProgress,
  channel: VoiceChannel = 'mix',
): Promise<void> {
  await feedChannels(audio, new Map([[channel, sink]]), progress);
}

/**
 * Decodes audio into an analysis of each wanted part of its sound, and reports the minutes done. Rumble that drowns
 * voices is left out.
 * @param hear called with each chunk as it was decoded
 */
export async function feedChannels(
  audio: DecodedAudio,
  sinks: ReadonlyMap<VoiceChannel, SampleSink>,
  progress: ReportProgress,
  hear: (chunk: PcmChunk) => void = () => {},
): Promise<void> {
  const { frameCount, sampleRate } = audio;
  const total = Math.ceil(frameCount / sampleRate / 60);
  const feeds = [...sinks].map(([channel, sink]) => ({ filter: new VoiceFilter(channel, sampleRate), sink }));
  let frames = 0;
  for await (const chunk of audio.chunks()) {
    hear(chunk);
    for (const { filter, sink } of feeds) await sink.push(filter.push(chunk));
    frames += frameCountOf(chunk);
    const done = Math.min(total, Math.floor(frames / sampleRate / 60));
    const count = { done, total, isGuess: false, unit: 'minute' };
    progress({ fraction: Math.min(1, frames / frameCount), count });
  }
  for (const { sink } of feeds) await sink.finish();
}

/** Filter that takes one part of stereo sound, without its rumble. */
class VoiceFilter {
  readonly #channel: VoiceChannel;
  readonly #mix: InPhaseMix;
  readonly #rumbleFilter: RumbleFilter;

  constructor(channel: VoiceChannel, sampleRate: number) {
    this.#channel = channel;
    this.#mix = new InPhaseMix(sampleRate);
    this.#rumbleFilter = new RumbleFilter(VOICE_HERTZ_MIN, sampleRate);
  }

  push(chunk: PcmChunk): Float32Array<ArrayBuffer> {
    const side = chunk[this.#channel === 'right' ? 1 : 0] ?? chunk[0];
    const samples = this.#channel === 'mix' || !side ? this.#mix.push(chunk) : side.slice();
    this.#rumbleFilter.apply(samples);
    return samples;
  }
}

/** Joins analyses into one, so that the audio is decoded once. */
export function joinSinks(...sinks: readonly SampleSink[]): SampleSink {
  return {
    async push(samples) {
      for (const sink of sinks) await sink.push(samples);
    },
    async finish() {
      for (const sink of sinks) await sink.finish();
    },
  };
}

/** Analysis of the frames of a filter bank. */
export interface FrameSink {
  push(frames: readonly Float32Array[]): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Joins analyses of frames into one of samples, so that the filter bank, which takes the most time, is computed once.
 */
export function filterBank(...sinks: readonly FrameSink[]): SampleSink {
  const fbank = new Fbank();
  return {
    async push(samples) {
      const frames = fbank.push(samples);
      for (const sink of sinks) await sink.push(frames);
    },
    async finish() {
      for (const sink of sinks) await sink.finish();
    },
  };
}
