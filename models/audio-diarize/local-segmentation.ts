import { unlikeCard } from '../inference/unlike-card.ts';
import { FBANK_BANDS, FBANK_HOP, Fbank } from '../kernels/audio/fbank.ts';
import { decodePowerset, LOCAL_SPEAKERS, POWERSET_CLASSES } from '../kernels/audio/powerset.ts';
import type { Session } from '../runtime/inference.ts';
import { WarningSet } from '../runtime/run-warnings.ts';
import { floatsOf } from '../runtime/tensor.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

export const SEGMENTATION_CARD = AUDIO_DIARIZE_WEIGHTS['pyannote-segmentation-3.0'];
export const WESPEAKER_CARD = AUDIO_DIARIZE_WEIGHTS['wespeaker-resnet34-lm'];
export const WESPEAKER_LENGTH = 256;

/** Samples of a window, 10 s, and from one to the next, 1 s. */
export const WINDOW_SAMPLES = 160_000;
export const WINDOW_STEP = 16_000;
/**
 * Samples from one frame of the segmentation to the next, and to the middle of the first: its receptive field has 991.
 */
export const FRAME_STEP = 270;
export const FRAME_OFFSET = 495;
/** Frames of the filter bank under which a voice is not embedded: 0.2 s. */
const EMBEDDED_MIN = 20;

/** Speakers of a window, as bits of each frame. */
export type WindowActivity = Uint8Array;

/** Voice of one speaker in one window. */
export interface LocalVoice {
  readonly window: number;
  readonly speaker: number;
}

/** Segmentation of a stream in overlapping windows, and an embedding of each voice in each. */
export class LocalSegmentation {
  readonly activities: WindowActivity[] = [];
  readonly voices: LocalVoice[] = [];
  /** Embeddings of the voices, of length 1. */
  readonly embeddings: Float32Array[] = [];
  provider = '';
  readonly notices = new WarningSet();
  readonly #segmentation: Session;
  readonly #speakers: Session;
  readonly #signal: AbortSignal;
  readonly #samples = new Float32Array(WINDOW_SAMPLES);
  #count = 0;
  #isNew = false;

  constructor(segmentation: Session, speakers: Session, signal: AbortSignal) {
    this.#segmentation = segmentation;
    this.#speakers = speakers;
    this.#signal = signal;
  }

  /** @param samples at 16 kHz. @throws OperationError `unavailable` when a model is another one */
  async push(samples: Float32Array): Promise<void> {
    for (let at = 0; at < samples.length; ) {
      const taken = Math.min(WINDOW_SAMPLES - this.#count, samples.length - at);
      this.#samples.set(samples.subarray(at, at + taken), this.#count);
      this.#count += taken;
      this.#isNew = true;
      at += taken;
      if (this.#count === WINDOW_SAMPLES) await this.#judge();
    }
  }

  /** Judges the last window, filled up with silence. */
  async finish(): Promise<void> {
    if (!this.#isNew) return;
    this.#samples.fill(0, this.#count);
    await this.#judge();
  }

  async #judge(): Promise<void> {
    const x = { type: 'float32', dims: [1, 1, WINDOW_SAMPLES], data: this.#samples.slice() } as const;
    const { outputs, provider, notices } = await this.#segmentation.run({ x }, this.#signal);
    const scores = outputs.y;
    if (scores?.dims.at(-1) !== POWERSET_CLASSES)
      throw unlikeCard(SEGMENTATION_CARD, 'tell speakers of a window apart');
    const activity = decodePowerset(floatsOf(scores));
    await this.#embed(activity);
    this.activities.push(activity);
    this.provider = provider;
    this.notices.add(...notices);
    this.#samples.copyWithin(0, WINDOW_STEP);
    this.#count -= WINDOW_STEP;
    this.#isNew = false;
  }

  /** Embeds each speaker by the frames without others; by all frames where those are too few. */
  async #embed(activity: WindowActivity): Promise<void> {
    if (activity.every((speakers) => speakers === 0)) return;
    const bands = new Fbank().push(this.#samples);
    for (let speaker = 0; speaker < LOCAL_SPEAKERS; speaker++) {
      const bit = 1 << speaker;
      const alone = bands.filter((_, at) => activity[frameAt(at)] === bit);
      const heard = bands.filter((_, at) => (activity[frameAt(at)] ?? 0) & bit);
      const chosen = alone.length >= EMBEDDED_MIN ? alone : heard;
      if (chosen.length < EMBEDDED_MIN) continue;
      this.voices.push({ window: this.activities.length, speaker });
      this.embeddings.push(await this.#embedFrames(chosen));
    }
  }

  async #embedFrames(bands: readonly Float32Array[]): Promise<Float32Array> {
    const dims = [1, bands.length, FBANK_BANDS];
    const feats = { type: 'float32', dims, data: withoutMean(bands) } as const;
    const { outputs } = await this.#speakers.run({ feats }, this.#signal);
    if (outputs.embs?.data.length !== WESPEAKER_LENGTH) throw unlikeCard(WESPEAKER_CARD, 'describe a voice');
    const embedding = floatsOf(outputs.embs);
    const length = Math.hypot(...embedding) || 1;
    return embedding.map((value) => value / length);
  }
}

/** Returns the frame of the segmentation at the middle of a frame of the filter bank. */
function frameAt(band: number): number {
  return Math.max(0, Math.round((band * FBANK_HOP + 200 - FRAME_OFFSET) / FRAME_STEP));
}

/** Joins frames, less the mean of each band. */
function withoutMean(bands: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const means = new Float64Array(FBANK_BANDS);
  for (const frame of bands) {
    frame.forEach((value, band) => {
      means[band] = (means[band] as number) + value / bands.length;
    });
  }
  const joined = new Float32Array(bands.length * FBANK_BANDS);
  bands.forEach((frame, at) => {
    frame.forEach((value, band) => {
      joined[at * FBANK_BANDS + band] = value - (means[band] as number);
    });
  });
  return joined;
}
