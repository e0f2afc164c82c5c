import { modelMismatch } from '../../core/inference/model-errors.ts';
import { runSingle } from '../../core/inference/sessions.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { WarningSet } from '../../core/runtime/run-warnings.ts';
import { floatTensor, getFloats } from '../../core/runtime/tensor.ts';
import type { Masker } from './masked-stems.ts';
import { binCount, type StereoFrame } from './stft.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS as WEIGHTS } from './weights.ts';
import type { Masks } from './wiener.ts';

/** Networks in the order of the stems: vocals, drums, bass, other. */
export const SPLEETER_CARDS = [
  WEIGHTS['spleeter-4stems-fp16/vocals'],
  WEIGHTS['spleeter-4stems-fp16/drums'],
  WEIGHTS['spleeter-4stems-fp16/bass'],
  WEIGHTS['spleeter-4stems-fp16/other'],
] as const;

/** As Spleeter was trained: periodic Hann windows at 44.1 kHz. */
const SHAPE = { window: 4096, hop: 1024 };
const BINS = binCount(SHAPE);
const FRAMES = 512;
const OVERLAP = 64;
/** Lowest bins, up to 11 kHz, which the networks see. */
const SEEN = 1024;
const PLANE = FRAMES * SEEN;
const CHANNELS = 2;
/** Channels, segments, frames and bins. */
const DIMS = [CHANNELS, 1, FRAMES, SEEN] as const;
/** Power against which a stem's own counts, as in Spleeter. */
const POWER_MIN = 1e-10;

/**
 * Masks by Spleeter (R. Hennequin et al., "Spleeter: a fast and efficient music source separation tool with pre-trained
 * models", JOSS, 2020): a U-Net estimates the magnitudes of each stem, and a stem's mask is its share of the powers of
 * all four. Above 11 kHz a frame has the mean of its mask.
 */
export class SpleeterMasker implements Masker {
  readonly shape = SHAPE;
  readonly frames = FRAMES;
  readonly overlap = OVERLAP;
  /** Execution provider of the last run; empty where all was silence. */
  provider = '';
  readonly notices = new WarningSet();
  readonly #sessions: readonly Session[];
  readonly #signal: AbortSignal;

  /** @param sessions in the order of the cards */
  constructor(sessions: readonly Session[], signal: AbortSignal) {
    this.#sessions = sessions;
    this.#signal = signal;
  }

  /** @throws OperationError `unavailable` when a model is another one */
  async masks(segment: readonly StereoFrame[]): Promise<Masks> {
    const magnitudes = getMagnitudes(segment);
    // A provider that computes nothing but zeros counts as broken: silence goes to none.
    const isSilent = magnitudes.every((magnitude) => magnitude === 0);
    const powers: Float32Array[] = [];
    for (const at of this.#sessions.keys()) {
      powers.push(isSilent ? new Float32Array(PLANE) : await this.#getPowers(at, magnitudes));
    }
    return powers.map((own) => overBins(own, powers));
  }

  /** Returns the power of a stem at each frame and bin, both channels together. */
  async #getPowers(at: number, magnitudes: Float32Array<ArrayBuffer>): Promise<Float32Array> {
    const options = { card: SPLEETER_CARDS[at], lack: 'separate a stem', signal: this.#signal };
    const { output, provider, notices } = await runSingle(this.#sessions[at], options, (type) =>
      floatTensor(type, DIMS, magnitudes),
    );
    this.provider = provider;
    this.notices.add(...notices);
    if (!DIMS.every((size, axis) => output.dims[axis] === size))
      throw modelMismatch(options.card, options.lack);
    const values = getFloats(output);
    return Float32Array.from({ length: PLANE }, (_, place) => {
      const [left, right] = [values[place], values[PLANE + place]];
      return left * left + right * right;
    });
  }
}

/** Returns the magnitudes of both channels, 2 x frames x 1024. */
function getMagnitudes(segment: readonly StereoFrame[]): Float32Array<ArrayBuffer> {
  const magnitudes = new Float32Array(CHANNELS * PLANE);
  segment.forEach((frame, at) => {
    for (let channel = 0; channel < CHANNELS; channel++) {
      const real = 2 * channel * BINS;
      for (let bin = 0; bin < SEEN; bin++) {
        const magnitude = Math.hypot(frame[real + bin], frame[real + BINS + bin]);
        magnitudes[channel * PLANE + at * SEEN + bin] = magnitude;
      }
    }
  });
  return magnitudes;
}

/** Returns the mask of a stem over all bins. */
function overBins(own: Float32Array, powers: readonly Float32Array[]): Float32Array {
  const mask = new Float32Array(FRAMES * BINS);
  for (let at = 0; at < FRAMES; at++) {
    let sum = 0;
    for (let bin = 0; bin < SEEN; bin++) {
      const place = at * SEEN + bin;
      const whole = powers.reduce((total, each) => total + each[place], 0);
      const share = (own[place] + POWER_MIN / powers.length) / (whole + POWER_MIN);
      mask[at * BINS + bin] = share;
      sum += share;
    }
    mask.fill(sum / SEEN, at * BINS + SEEN, (at + 1) * BINS);
  }
  return mask;
}
