import { openAsBlob } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { ByteStore } from '../../../models/media/audio/write-audio.ts';

/** Bytes that are collected for one write. */
const WRITE_BYTES = 1_048_576;

/** File on the disk. The owner of its folder deletes it after the last use of the blob. */
export class FileStore implements ByteStore {
  readonly #path: string;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #file: FileHandle | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= WRITE_BYTES) await this.#write();
  }

  async finish(head: Uint8Array<ArrayBuffer>, mediaType: string): Promise<Blob> {
    await this.#write();
    await this.#file?.close();
    this.#file = null;
    return new Blob([head, await openAsBlob(this.#path)], { type: mediaType });
  }

  async discard(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    await rm(this.#path, { force: true });
  }

  async #write(): Promise<void> {
    this.#file ??= await open(this.#path, 'w');
    const bytes = Buffer.concat(this.#waiting.splice(0));
    this.#waitingBytes = 0;
    if (bytes.length > 0) await this.#file.writeFile(bytes);
  }
}
