import type { ByteStore } from '../../../models/media/audio/write-audio.ts';

/** Bytes that are collected for one blob. */
const PART_BYTES = 4_194_304;

/** File made of blobs, which the browser moves to the disk when they become large. */
export class BlobStore implements ByteStore {
  #parts: Blob[] = [];
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #waitingBytes = 0;

  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < PART_BYTES) return;
    this.#parts.push(new Blob(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async finish(head: Uint8Array<ArrayBuffer>, mediaType: string): Promise<Blob> {
    return new Blob([head, ...this.#parts, ...this.#waiting], { type: mediaType });
  }

  async discard(): Promise<void> {
    this.#parts = [];
    this.#waiting = [];
  }
}
