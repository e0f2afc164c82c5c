import { getFrameCount, type PcmChunk, type PcmPiece } from '../../core/runtime/pcm.ts';

/**
 * Difference between a piece's time and the end of the last piece that is not yet a gap or an overlap. Containers round
 * times to milliseconds or more.
 */
const JITTER_SECONDS = 0.02;
/** Frames of every block but the last. */
const BLOCK_FRAMES = 65_536;

export interface TimelineOptions {
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
