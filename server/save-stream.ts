import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export interface SavedFile {
  readonly bytes: number;
  readonly sha256: Buffer;
}

export interface SaveOptions {
  /** The local file to write. What a failure leaves there is the caller's to remove. */
  readonly path: string;
  readonly bytesMax: number;
  /** What is thrown as soon as there are more bytes than that. */
  readonly tooLarge: () => Error;
}

/** Streams bytes into a local file, as fast as the disk takes them. Errors of the source pass unchanged. */
export async function saveStream(
  source: AsyncIterable<Uint8Array>,
  { path, bytesMax, tooLarge }: SaveOptions,
): Promise<SavedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of atMost(source, bytesMax, tooLarge)) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(measured, createWriteStream(path));
  return { bytes, sha256: hash.digest() };
}

/** The same bytes, until there are more than allowed: then it throws `tooLarge`. */
export async function* atMost(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge();
    yield chunk;
  }
}
