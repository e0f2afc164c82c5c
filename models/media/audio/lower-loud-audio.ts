import {
  type AudioFacts,
  type DecodedAudio,
  getFrameCount,
  type PcmChunk,
} from '../../core/runtime/audio-codec.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';

/** Lossless codecs whose samples may exceed full scale, by the names of WebCodecs, FFmpeg and Matroska. */
const FLOAT = /^(pcm[-_]f|wavpack|A_WAVPACK)/;
/** Lossless codecs of whole numbers, which hold nothing beyond full scale. */
const WHOLE_NUMBERS =
  /^(pcm[-_][su]|A_PCM|flac|A_FLAC|alac|A_ALAC|tta|A_TTA|ape|mlp|truehd|A_TRUEHD|wmalossless)/;
/** Peak up to which a codec that loses detail may overshoot: 3 dB. Loud masters reach it, and listeners do not hear the cut. */
const OVERSHOOT = Math.SQRT2;
/** Peak that is left to what is coded again, with a codec that loses detail: 1 dB below full scale. */
export const CODED_PEAK = 10 ** -0.05;
/** The gain is a whole number of these, so that a warning can state it. */
const STEPS_A_DECIBEL = 10;

/** Audio within full scale, with what was done to it. */
export interface LoweredAudio {
  readonly audio: DecodedAudio;
  readonly warnings: readonly RunWarning[];
}

/**
 * Lowers audio that exceeds full scale as a whole: samples of float, and the mix of more than two channels. Codecs that
 * lose detail overshoot by a little, which every decoder to 16 bits cuts, and so does the mixture of the stems; what
 * they hold far beyond full scale is lowered, too.
 * @param onProgress is not called where the audio cannot be too loud: only other audio is decoded for its peak
 * @param targetPeak peak of audio that is lowered
 */
export async function lowerLoudAudio(
  audio: DecodedAudio,
  signal: AbortSignal,
  onProgress: ReportProgress = () => {},
  targetPeak = 1,
): Promise<LoweredAudio> {
  const limit = highestPeak(audio.facts);
  const peak = limit === Number.POSITIVE_INFINITY ? 0 : await measurePeak(audio, signal, onProgress);
  const steps = Math.ceil(20 * Math.log10(peak / targetPeak) * STEPS_A_DECIBEL);
  if (!(peak > limit && steps > 0)) return { audio, warnings: [] };
  const decibels = steps / STEPS_A_DECIBEL;
  return {
    audio: scaledAudio(audio, 10 ** (-decibels / 20)),
    warnings: [formatWarning('lowered_audio', decibels.toFixed(1))],
  };
}

/** The peak above which audio is lowered, where full scale is 1; infinite for audio that cannot exceed it. */
function highestPeak({ codec, channelCount }: AudioFacts): number {
  const name = codec ?? '';
  if (channelCount > 2 || FLOAT.test(name)) return 1;
  return WHOLE_NUMBERS.test(name) ? Number.POSITIVE_INFINITY : OVERSHOOT;
}

async function measurePeak(
  audio: DecodedAudio,
  signal: AbortSignal,
  onProgress: ReportProgress,
): Promise<number> {
  let [peak, frames] = [0, 0];
  onProgress({ fraction: 0 });
  for await (const chunk of audio.chunks()) {
    signal.throwIfAborted();
    for (const samples of chunk) for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    frames += getFrameCount(chunk);
    onProgress({ fraction: Math.min(1, frames / Math.max(1, audio.frameCount)) });
  }
  return peak;
}

function scaledAudio(audio: DecodedAudio, gain: number): DecodedAudio {
  async function* chunks(): AsyncGenerator<PcmChunk> {
    for await (const chunk of audio.chunks()) {
      yield chunk.map((samples) => samples.map((sample) => sample * gain));
    }
  }
  const { facts, sampleRate, channelCount, frameCount } = audio;
  return { facts, sampleRate, channelCount, frameCount, warnings: () => audio.warnings(), chunks };
}
