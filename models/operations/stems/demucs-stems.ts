import { SessionRunner } from '../../core/inference/sessions.ts';
import { OperationError } from '../../core/operation/errors.ts';
import type { DecodedAudio, PcmChunk } from '../../core/runtime/audio-codec.ts';
import { getFloats } from '../../core/runtime/tensor.ts';
import { SampleQueue } from './sample-queue.ts';
import type { SeparatedChunk } from './stems.ts';

/**
 * Sum of overlapping pieces, weighted, and divided by the sum of their weights. Pieces arrive in order of their start.
 */
export class OverlapAdd {
  readonly #weights: Float32Array;
  readonly #sums: Float32Array<ArrayBuffer>[];
  readonly #weightSums: Float32Array<ArrayBuffer>;

  /** @param weights of a piece, above 0; their number is the longest piece */
  constructor(channelCount: number, weights: Float32Array) {
    this.#weights = weights;
    this.#sums = Array.from({ length: channelCount }, () => new Float32Array(weights.length));
    this.#weightSums = new Float32Array(weights.length);
  }

  /**
   * Adds a piece at the current position, and moves on.
   * @param count samples that no later piece reaches: the distance to the next one
   * @returns those samples
   */
  add(piece: readonly Float32Array[], count: number): PcmChunk {
    const length = piece[0]?.length ?? 0;
    for (let at = 0; at < length; at++) {
      this.#weightSums[at] = this.#weightSums[at] + this.#weights[at];
    }
    const done = this.#sums.map((sum, channel) => {
      const samples = piece[channel];
      for (let at = 0; at < length; at++) {
        sum[at] = sum[at] + samples[at] * this.#weights[at];
      }
      const part = sum.slice(0, count);
      for (let at = 0; at < count; at++) part[at] = part[at] / this.#weightSums[at];
      return part;
    });
    for (const sum of [...this.#sums, this.#weightSums]) {
      sum.copyWithin(0, count);
      sum.fill(0, sum.length - count);
    }
    return done;
  }
}

/** Samples of a segment: 7.8 s at 44.1 kHz. */
export const DEMUCS_SEGMENT = 343_980;

/** Distance of segments: they overlap by a quarter. */
const STRIDE = 257_985;

/** Sources in the order of the model: vocals, drums and bass among drums, bass, other, vocals. */
const SOURCES = 4;

const ORDER = [3, 0, 1] as const;

/** Added to the deviation, so that silence divides by no zero. */
const DEVIATION_MIN = 1e-8;

/** Mean and deviation of a track's mono mix. */
export interface Level {
  readonly mean: number;
  readonly deviation: number;
}

/** Measures a track. Decodes all of it. */
export async function measureLevel(audio: DecodedAudio, progress: (frames: number) => void): Promise<Level> {
  let [count, sum, squares] = [0, 0, 0];
  for await (const [left, right] of audio.chunks()) {
    if (!left || !right) continue;
    for (let at = 0; at < left.length; at++) {
      const sample = (left[at] + right[at]) / 2;
      sum += sample;
      squares += sample * sample;
    }
    count += left.length;
    progress(count);
  }
  const mean = sum / Math.max(1, count);
  const variance = Math.max(0, squares - count * mean * mean) / Math.max(1, count - 1);
  return { mean, deviation: Math.sqrt(variance) + DEVIATION_MIN };
}

/** HTDemucs over a stream, with what its runs report. */
export class DemucsStems extends SessionRunner {
  /**
   * Separates a track as Demucs itself does: segments under triangular weights, a short one centred between its real
   * neighbours, all at the track's own level.
   * @param count stems to estimate: all but the last one
   * @throws OperationError `unavailable` when the model is another one
   */
  async *separate(audio: DecodedAudio, level: Level, count: number): AsyncGenerator<SeparatedChunk> {
    const sums = new OverlapAdd(2 * count, triangularWeights(DEMUCS_SEGMENT));
    /** Samples from `kept` before the current segment on. */
    const queue = new SampleQueue();
    let kept = 0;

    const step = async (isLast: boolean): Promise<SeparatedChunk> => {
      const length = Math.min(DEMUCS_SEGMENT, queue.length - kept);
      const lead = Math.floor((DEMUCS_SEGMENT - length) / 2);
      const input = queue.copy(kept - lead, DEMUCS_SEGMENT);
      const separated = await this.#run(input, level, count);
      const piece = separated.map((samples) => samples.subarray(lead, lead + length));
      const done = isLast ? length : STRIDE;
      const mixture = queue.copy(kept, done);
      const samples = sums.add(piece, done);
      // A short segment reaches back by half of its padding at most.
      const before = Math.min(kept + done, DEMUCS_SEGMENT / 2);
      queue.drop(kept + done - before);
      kept = before;
      return { mixture, stems: pairs(samples) };
    };

    for await (const chunk of audio.chunks()) {
      queue.push(chunk);
      while (queue.length - kept > DEMUCS_SEGMENT) yield await step(false);
    }
    while (queue.length - kept > STRIDE) yield await step(false);
    if (queue.length > kept) yield await step(true);
  }

  async #run(input: PcmChunk, { mean, deviation }: Level, count: number): Promise<Float32Array[]> {
    const data = new Float32Array(2 * DEMUCS_SEGMENT);
    input.forEach((samples, channel) => {
      const base = channel * DEMUCS_SEGMENT;
      for (let at = 0; at < DEMUCS_SEGMENT; at++) data[base + at] = (samples[at] - mean) / deviation;
    });
    const mix = { type: 'float32', dims: [1, 2, DEMUCS_SEGMENT], data } as const;
    const outputs = await this.run({ mix });
    const { stems } = outputs;
    if (stems?.data.length !== SOURCES * 2 * DEMUCS_SEGMENT) {
      throw new OperationError('unavailable', 'htdemucs: the model does not separate stems.');
    }
    const values = getFloats(stems);
    return ORDER.slice(0, count).flatMap((source) =>
      [0, 1].map((channel) => {
        const base = (source * 2 + channel) * DEMUCS_SEGMENT;
        return values.slice(base, base + DEMUCS_SEGMENT).map((sample) => sample * deviation + mean);
      }),
    );
  }
}

/** Returns channels two by two. */
function pairs(channels: PcmChunk): PcmChunk[] {
  return channels.flatMap((left, at) => (at % 2 === 0 ? [[left, channels[at + 1]]] : []));
}

/** Returns weights that rise to 1 in the middle and fall again: 1/h, 2/h, ..., 1, ..., 1/h. */
export function triangularWeights(length: number): Float32Array<ArrayBuffer> {
  const half = Math.floor(length / 2);
  const peak = length - half;
  return Float32Array.from({ length }, (_, at) => (at < half ? at + 1 : length - at) / peak);
}
