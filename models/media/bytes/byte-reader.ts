import { OperationError } from '../../core/operation/errors.ts';

/** Names come from files, and stand in messages. */
const NAME_LENGTH_MAX = 60;
const WINDOW_BYTES = 262_144;

/**
 * Reader of a file from front to back, by default a quarter of a megabyte at a time, for files that consist of frames
 * only.
 */
export class ByteReader {
  readonly size: number;
  readonly #blob: Blob;
  readonly #signal: AbortSignal | undefined;
  readonly #windowBytes: number;
  #start = 0;
  #bytes = new Uint8Array(0);

  /** @param windowBytes least length of a read: a short one for places that are far apart */
  constructor(blob: Blob, signal?: AbortSignal, windowBytes = WINDOW_BYTES) {
    this.#blob = blob;
    this.#signal = signal;
    this.#windowBytes = windowBytes;
    this.size = blob.size;
  }

  /**
   * Reads up to `length` bytes from `offset`; fewer at the end of the file.
   * @throws when the signal has aborted
   */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const read = this.peek(offset, length);
    if (read) return read;
    if (offset < this.size) {
      this.#signal?.throwIfAborted();
      const end = offset + Math.max(length, this.#windowBytes);
      this.#bytes = new Uint8Array(await this.#blob.slice(offset, end).arrayBuffer());
      this.#start = offset;
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length);
  }

  /** Returns bytes that were read before; null where they were not, or fewer. */
  peek(offset: number, length: number): Uint8Array | null {
    const at = offset - this.#start;
    return at >= 0 && at + length <= this.#bytes.length ? this.#bytes.subarray(at, at + length) : null;
  }

  /**
   * Reads exactly `length` bytes from `offset`.
   * @throws OperationError `bad_request` when the file ends before
   */
  async view(offset: number, length: number): Promise<DataView> {
    const bytes = await this.read(offset, length);
    if (bytes.length < length) throw damagedAudio('it ends within its header');
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }
}

/** Creates the error for a file with a damaged structure. */
export function damagedAudio(fault: string, cause?: unknown): OperationError {
  return new OperationError('bad_request', `The audio is damaged: ${fault}. Send the whole file.`, {
    kind: 'damaged',
    cause,
  });
}

/** Returns the start of a text without control characters and halves of pairs, which databases refuse. */
export function printableName(text: string): string {
  return text
    .slice(0, NAME_LENGTH_MAX)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
}
