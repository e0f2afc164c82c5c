import type { OutputChannelCount } from '../../audio-codec.ts';
import { OperationError } from '../../errors.ts';
import { frameCountOf, type PcmChunk, type PcmPiece } from '../../pcm.ts';
import { mixChannels } from './mix-channels.ts';
import { Resampler, resampledFrameCount } from './resampler.ts';
import { Timeline } from './timeline.ts';

/** Share of the measured length that may be missing at the end: lengths of last packets are often rounded up. */
const MISSING_MAX = 0.1;

export interface PcmShape {
  /** In Hz. */
  readonly sampleRate: number;
  readonly channelCount: OutputChannelCount;
  /** Measured length of the audio. */
  readonly durationSeconds: number;
  /** End of decoding: the length, plus an allowance for the container's rounding. */
  readonly endSeconds: number;
  readonly signal: AbortSignal;
}

/** Counts the frames that `shapePcm` yields of whole audio of that length. */
export function shapedFrameCount(durationSeconds: number, fromRate: number, toRate: number): number {
  return resampledFrameCount(Math.round(durationSeconds * fromRate), fromRate, toRate);
}

/**
 * Puts decoded pieces on one timeline, then converts them to the requested channels and rate. Server and device both
 * use it, so that one file results in the same samples on both.
 * @throws OperationError `unprocessable` when the rate changes on the way, or the audio ends long before `durationSeconds`
 */
export async function* shapePcm(pieces: AsyncIterable<PcmPiece>, shape: PcmShape): AsyncGenerator<PcmChunk> {
  let shaper: Shaper | null = null;
  for await (const piece of pieces) {
    shape.signal.throwIfAborted();
    shaper ??= new Shaper(piece, shape);
    for (const chunk of shaper.add(piece)) {
      yield chunk;
      shape.signal.throwIfAborted();
    }
  }
  if (shaper) yield* shaper.finish();
  assertWhole(shaper?.seconds ?? 0, shape.durationSeconds);
}

function assertWhole(reachedSeconds: number, durationSeconds: number): void {
  if (reachedSeconds > 0 && reachedSeconds >= durationSeconds * (1 - MISSING_MAX)) return;
  const [reached, length] = [reachedSeconds, durationSeconds].map((seconds) => seconds.toFixed(1));
  throw new OperationError(
    'unprocessable',
    `The audio is cut off: it ends after ${reached} of ${length} s. Send the whole file.`,
  );
}

class Shaper {
  readonly #timeline: Timeline;
  readonly #resampler: Resampler;
  readonly #fromRate: number;
  readonly #channelCount: OutputChannelCount;

  constructor({ sampleRate, channels }: PcmPiece, shape: PcmShape) {
    this.#fromRate = sampleRate;
    this.#channelCount = shape.channelCount;
    this.#resampler = new Resampler(sampleRate, shape.sampleRate);
    this.#timeline = new Timeline({
      sampleRate,
      channelCount: channels.length,
      endSeconds: shape.endSeconds,
    });
  }

  /** Length of the audio so far. */
  get seconds(): number {
    return this.#timeline.frameCount / this.#fromRate;
  }

  *add(piece: PcmPiece): Generator<PcmChunk, void, undefined> {
    if (piece.sampleRate !== this.#fromRate) {
      throw new OperationError(
        'unprocessable',
        `The audio changes its sample rate from ${this.#fromRate} to ${piece.sampleRate} Hz. Export it at one rate.`,
      );
    }
    for (const block of this.#timeline.add(piece)) yield* this.#shaped(block);
  }

  *finish(): Generator<PcmChunk, void, undefined> {
    const rest = this.#timeline.finish();
    if (rest) yield* this.#shaped(rest);
    yield* nonEmpty(this.#resampler.finish());
  }

  *#shaped(block: PcmChunk): Generator<PcmChunk, void, undefined> {
    yield* nonEmpty(this.#resampler.push(mixChannels(block, this.#channelCount)));
  }
}

function nonEmpty(chunk: PcmChunk): PcmChunk[] {
  return frameCountOf(chunk) > 0 ? [chunk] : [];
}
