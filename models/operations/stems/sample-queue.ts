import { getFrameCount, type PcmChunk } from '../../core/runtime/audio-codec.ts';

/** Error of a stream whose source ended because another stream's reader did. */
export class ReaderStopped extends Error {}

/** Stereo samples that wait, in order. */
export class SampleQueue {
  #chunks: PcmChunk[] = [];
  /** Samples of the first chunk that are gone. */
  #gone = 0;
  #length = 0;

  /** Samples that wait. */
  get length(): number {
    return this.#length;
  }

  push(chunk: PcmChunk): void {
    if (getFrameCount(chunk) === 0) return;
    this.#chunks.push(chunk);
    this.#length += getFrameCount(chunk);
  }

  /** Takes the first `count` samples, or all if there are fewer. */
  take(count: number): PcmChunk {
    const taken = this.copy(0, Math.min(count, this.#length));
    this.drop(count);
    return taken;
  }

  /** Drops the first `count` samples. */
  drop(count: number): void {
    let rest = Math.min(count, this.#length);
    this.#length -= rest;
    while (rest > 0) {
      const here = getFrameCount(this.#chunks[0]) - this.#gone;
      if (rest < here) {
        this.#gone += rest;
        return;
      }
      rest -= here;
      this.#gone = 0;
      this.#chunks.shift();
    }
  }

  /** Copies samples, with silence where there are none. @param start may lie before the first sample */
  copy(start: number, length: number): PcmChunk {
    const copies = [new Float32Array(length), new Float32Array(length)];
    let at = -this.#gone - start;
    for (const [number, chunk] of this.#chunks.entries()) {
      const count = getFrameCount(chunk);
      const from = Math.max(-at, number === 0 ? this.#gone : 0);
      const until = Math.min(count, length - at);
      if (from < until) {
        copies.forEach((copy, channel) => {
          copy.set(chunk[channel].subarray(from, until), at + from);
        });
      }
      at += count;
      if (at >= length) break;
    }
    return copies;
  }
}

/**
 * Splits a stream of rows into one stream for each column. The columns are read in step, so that no more than one row
 * is in memory. When one reader stops early, the source ends.
 * @throws Error of the source, for each reader; ReaderStopped for those who read on after another one stopped
 */
export function fanOut<Value>(
  source: AsyncIterable<readonly Value[]>,
  count: number,
): AsyncIterable<Value>[] {
  const rows = source[Symbol.asyncIterator]();
  let current: Promise<IteratorResult<readonly Value[]>>;
  let readers = 0;
  let isStopped = false;
  let release: () => void = () => {};
  let turn = new Promise<void>((resolve) => {
    release = resolve;
  });

  /** Waits until all readers have come, then reads one row for all of them. */
  async function nextRow(): Promise<IteratorResult<readonly Value[]>> {
    readers += 1;
    const own = turn;
    if (readers === count) {
      readers = 0;
      current = rows.next();
      release();
      turn = new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    await own;
    if (isStopped) throw new ReaderStopped('another reader stopped');
    return await current;
  }

  async function* column(at: number): AsyncGenerator<Value> {
    let isWhole = false;
    try {
      for (let row = await nextRow(); !row.done; row = await nextRow()) yield row.value[at];
      isWhole = true;
    } finally {
      if (!isWhole && !isStopped) {
        isStopped = true;
        release();
        await rows.return?.();
      }
    }
  }

  return Array.from({ length: count }, (_, at) => column(at));
}
