import { OperationError } from '../../core/operation/errors.ts';
import {
  getFrameCount,
  type OutputChannelCount,
  type PcmChunk,
  type PcmPiece,
} from '../../core/runtime/audio-codec.ts';
import { mixChannels } from './mix-channels.ts';
import { Resampler, resampledFrameCount } from './resampler.ts';

/**
 * Difference between a piece's time and the end of the last piece that is not yet a gap or an overlap. Containers round
 * times to milliseconds or more.
 */
export const JITTER_SECONDS = 0.02;
/** Frames of every block but the last. */
const BLOCK_FRAMES = 65_536;

interface TimelineOptions {
  /** In Hz. Pieces of another rate are an error of the caller. */
  readonly sampleRate: number;
  readonly channelCount: number;
  /** End of the audio; later samples are padding. */
  readonly endSeconds: number;
}

/**
 * Timeline of decoded pieces from time 0. It drops samples before 0 (encoder priming), after the end, or at a time that
 * is already filled, and fills gaps with silence. Pieces arrive in order.
 */
export class Timeline {
  readonly #options: TimelineOptions;
  readonly #endFrame: number;
  #block: Float32Array<ArrayBuffer>[];
  #filled = 0;
  /** Frames on the timeline, including those in the block. */
  #reached = 0;

  constructor(options: TimelineOptions) {
    this.#options = options;
    this.#endFrame = Math.round(options.endSeconds * options.sampleRate);
    this.#block = this.#emptyBlock();
  }

  /** Frames on the timeline so far. */
  get frameCount(): number {
    return this.#reached;
  }

  /** Adds a piece. Yields the blocks that it completes. */
  *add({ timestampSeconds, channels }: PcmPiece): Generator<PcmChunk, void, undefined> {
    const { sampleRate } = this.#options;
    const start = Math.round(timestampSeconds * sampleRate);
    const isInPlace = Math.abs(start - this.#reached) <= JITTER_SECONDS * sampleRate && this.#reached > 0;
    const at = isInPlace ? this.#reached : start;
    if (at > this.#reached) yield* this.#write(null, 0, Math.min(at, this.#endFrame) - this.#reached);
    const skipped = Math.max(0, this.#reached - at);
    const count = Math.min(getFrameCount(channels) - skipped, this.#endFrame - this.#reached);
    if (count > 0) yield* this.#write(channels, skipped, count);
  }

  /** Returns the unfinished block, or null when it is empty. */
  finish(): PcmChunk | null {
    return this.#filled === 0 ? null : this.#block.map((samples) => samples.slice(0, this.#filled));
  }

  /** @param channels null for silence */
  *#write(channels: PcmChunk | null, from: number, count: number): Generator<PcmChunk, void, undefined> {
    for (let done = 0; done < count; ) {
      const part = Math.min(count - done, BLOCK_FRAMES - this.#filled);
      const start = from + done;
      this.#block.forEach((samples, channel) => {
        const source = channels?.[channel] ?? channels?.[0];
        if (source) samples.set(source.subarray(start, start + part), this.#filled);
      });
      done += part;
      this.#filled += part;
      this.#reached += part;
      if (this.#filled === BLOCK_FRAMES) {
        const full = this.#block;
        this.#block = this.#emptyBlock();
        this.#filled = 0;
        yield full;
      }
    }
  }

  #emptyBlock(): Float32Array<ArrayBuffer>[] {
    return Array.from({ length: this.#options.channelCount }, () => new Float32Array(BLOCK_FRAMES));
  }
}

/** Damage behind the end of the audio up to which its source is read on. */
const DAMAGE_AFTER_END_SECONDS = 60;
/** Share of the measured length that may be missing unsaid: lengths of last packets are often rounded up. */
const MISSING_MAX = 0.1;
/** Length before the measured end within which damage is that of a file that was cut off. */
const CUT_SECONDS = 1;

export interface PcmShape {
  /** In Hz. */
  readonly sampleRate: number;
  readonly channelCount: OutputChannelCount;
  /** Speakers of the channels as headers state them; as the decoder states them when absent. */
  readonly channelMask?: number | undefined;
  /** Measured length of the audio. */
  readonly durationSeconds: number;
  /** End of decoding: the length, plus an allowance for the container's rounding. */
  readonly endSeconds: number;
  readonly signal: AbortSignal;
  /** Called at the end of audio that is cut off, with the length that could be read. */
  readonly onCutOff: (seconds: number) => void;
  /** Called for each stretch that is silent since it could not be read. */
  readonly onDamage: (startSeconds: number, endSeconds: number) => void;
}

/** Counts the frames that `shapePcm` yields of whole audio of that length. */
export function shapedFrameCount(durationSeconds: number, fromRate: number, toRate: number): number {
  return resampledFrameCount(Math.round(durationSeconds * fromRate), fromRate, toRate);
}

/**
 * Puts decoded pieces on one timeline, then converts them to the requested channels and rate. Server and device both
 * use it, so that one file results in the same samples on both. Audio that is cut off is read as far as it goes, and
 * damaged stretches are silent.
 * @throws OperationError `unprocessable` when the rate changes on the way, nothing can be decoded, or reading fails
 *   long before `durationSeconds`
 */
export async function* shapePcm(pieces: AsyncIterable<PcmPiece>, shape: PcmShape): AsyncGenerator<PcmChunk> {
  const { durationSeconds } = shape;
  let shaper: Shaper | null = null;
  let isDamaged = false;
  /** Pieces that are not shaped yet: damage at the very end is that of a file that was cut off. */
  let held: PcmPiece[] = [];
  let damagedSeconds = 0;
  /** End of the last piece that is not damaged. */
  let reached = 0;
  const untilDamage = readUntil(pieces, (thrown) => {
    isDamaged = reached > 0 && reached >= durationSeconds - CUT_SECONDS && isFault(thrown);
    return isDamaged;
  });
  for await (const piece of untilDamage) {
    shape.signal.throwIfAborted();
    shaper ??= new Shaper(piece, shape);
    if (piece.isDamaged) {
      // By the times of a hostile file damage may last for years, in pieces of a second. A cut off file ends in a
      // little.
      if (piece.timestampSeconds >= shape.endSeconds + DAMAGE_AFTER_END_SECONDS) break;
      damagedSeconds += getFrameCount(piece.channels) / piece.sampleRate;
    }
    held.push(piece);
    if (piece.isDamaged && damagedSeconds <= CUT_SECONDS) continue;
    for (const each of held) {
      for (const chunk of shaper.add(each)) {
        yield chunk;
        shape.signal.throwIfAborted();
      }
    }
    held = [];
    if (!piece.isDamaged) [damagedSeconds, reached] = [0, shaper.seconds];
  }
  if (!shaper?.seconds)
    throw new OperationError('unprocessable', 'The audio holds no samples. Send the whole file.');
  yield* shaper.finish();
  const { seconds } = shaper;
  const isCutOff = held.length > 0;
  if (isDamaged || isCutOff || seconds < durationSeconds * (1 - MISSING_MAX)) shape.onCutOff(seconds);
}

/** Yields pieces until their source throws an error that `isEnd` accepts. */
async function* readUntil(
  pieces: AsyncIterable<PcmPiece>,
  isEnd: (thrown: unknown) => boolean,
): AsyncGenerator<PcmPiece> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await source.next();
      if (done) return;
      yield value;
    }
  } catch (thrown) {
    if (!isEnd(thrown)) throw thrown;
  } finally {
    await source.return?.();
  }
}

/** Reports whether an error is the file's, not an abort or a lack of this side. */
function isFault(thrown: unknown): boolean {
  return thrown instanceof OperationError && thrown.code === 'unprocessable';
}

class Shaper {
  readonly #timeline: Timeline;
  readonly #resampler: Resampler;
  readonly #fromRate: number;
  readonly #channelCount: OutputChannelCount;
  readonly #channelMask: number | undefined;
  readonly #onDamage: PcmShape['onDamage'];

  constructor({ sampleRate, channels, channelMask }: PcmPiece, shape: PcmShape) {
    this.#channelMask = shape.channelMask ?? channelMask;
    this.#fromRate = sampleRate;
    this.#channelCount = shape.channelCount;
    this.#onDamage = shape.onDamage;
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
    const before = this.seconds;
    for (const block of this.#timeline.add(piece)) yield* this.#shaped(block);
    if (piece.isDamaged && this.seconds > before) this.#onDamage(before, this.seconds);
  }

  *finish(): Generator<PcmChunk, void, undefined> {
    const rest = this.#timeline.finish();
    if (rest) yield* this.#shaped(rest);
    yield* nonEmpty(this.#resampler.finish());
  }

  *#shaped(block: PcmChunk): Generator<PcmChunk, void, undefined> {
    yield* nonEmpty(this.#resampler.push(mixChannels(block, this.#channelCount, this.#channelMask)));
  }
}

function nonEmpty(chunk: PcmChunk): PcmChunk[] {
  return getFrameCount(chunk) > 0 ? [chunk] : [];
}
