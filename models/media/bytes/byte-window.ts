import { OperationError } from '../../core/operation/errors.ts';

const WINDOW_BYTES = 4096;

export interface ByteWindowOptions {
  /** Noun for error messages. */
  readonly noun: 'image' | 'video';
  /** Limit on windows of 4 kB. */
  readonly readsMax: number;
}

/** Limit for images: half a megabyte. */
const OF_IMAGE: ByteWindowOptions = { noun: 'image', readsMax: 128 };

/**
 * Random access to the bytes of a blob, a few kB at a time. Built for hostile files: it stops after `readsMax`
 * windows, so no crafted chain of offsets can keep a reader busy.
 */
export class ByteWindow {
  readonly size: number;
  readonly #blob: Blob;
  readonly #options: ByteWindowOptions;
  #start = 0;
  #view = new DataView(new ArrayBuffer(0));
  #reads = 0;

  constructor(blob: Blob, options: ByteWindowOptions = OF_IMAGE) {
    this.#blob = blob;
    this.#options = options;
    this.size = blob.size;
  }

  /**
   * Reads exactly `length` bytes from `offset`.
   * @throws OperationError `bad_request` when they lie outside the file, or the file takes too many steps to read
   */
  async read(offset: number, length: number): Promise<DataView> {
    if (offset < 0 || offset + length > this.size)
      throw this.#refusal('ends within its header. Send the whole file');
    if (offset < this.#start || offset + length > this.#start + this.#view.byteLength) {
      if (++this.#reads > this.#options.readsMax) {
        throw this.#refusal('has a header that is too long or refers to itself');
      }
      const bytes = await this.#blob.slice(offset, offset + Math.max(length, WINDOW_BYTES)).arrayBuffer();
      this.#start = offset;
      this.#view = new DataView(bytes);
    }
    return new DataView(this.#view.buffer, offset - this.#start, length);
  }

  #refusal(fault: string): OperationError {
    return new OperationError('bad_request', `The ${this.#options.noun} ${fault}.`, { kind: 'damaged' });
  }
}

/**
 * Rejects a file without bytes, such as an upload that was cut off at its start: a message about an unknown format
 * would mislead.
 * @param noun `image`, say
 * @throws OperationError `bad_request`
 */
export function assertNotEmpty(file: Blob, noun: string): void {
  if (file.size > 0) return;
  throw new OperationError('bad_request', `The ${noun} is empty (0 bytes). Send a file with content.`, {
    kind: 'empty',
  });
}
