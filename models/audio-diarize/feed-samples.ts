import { Fbank } from '../kernels/audio/fbank.ts';
import { InPhaseMix } from '../kernels/audio/mix-in-phase.ts';
import { RumbleFilter } from '../kernels/audio/rumble-filter.ts';
import type { DecodedAudio } from '../runtime/audio-codec.ts';
import type { Inference } from '../runtime/inference.ts';
import { frameCountOf } from '../runtime/pcm.ts';
import type { ReportProgress } from '../runtime/progress.ts';

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

/**
 * Decodes audio into an analysis, and reports the minutes done. The channels are mixed in phase, and rumble that drowns
 * voices is left out.
 */
export async function feedSamples(
  audio: DecodedAudio,
  sink: SampleSink,
  progress: ReportProgress,
): Promise<void> {
  const { frameCount, sampleRate } = audio;
  const total = Math.ceil(frameCount / sampleRate / 60);
  const mix = new InPhaseMix(sampleRate);
  const rumbleFilter = new RumbleFilter(VOICE_HERTZ_MIN, sampleRate);
  let frames = 0;
  for await (const chunk of audio.chunks()) {
    const samples = mix.push(chunk);
    rumbleFilter.apply(samples);
    await sink.push(samples);
    frames += frameCountOf([samples]);
    const done = Math.min(total, Math.floor(frames / sampleRate / 60));
    const count = { done, total, isGuess: false, unit: 'minute' };
    progress({ fraction: Math.min(1, frames / frameCount), count });
  }
  await sink.finish();
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
