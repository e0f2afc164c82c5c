import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OWNER_ONLY } from './file-modes.ts';

export interface SavedFile {
  readonly bytes: number;
  readonly sha256: Buffer;
}

export interface SaveOptions {
  /** Local file to write. After a failure the caller deletes it. */
  readonly path: string;
  /** Bytes that the file has already, and that count; 0 when absent. */
  readonly offset?: number;
  readonly bytesMax: number;
  /** Error for a stream beyond the limit. */
  readonly tooLarge: () => Error;
  /** Counts bytes before they are written. What it throws ends the stream. */
  readonly count?: ((bytes: number) => void) | undefined;
}

/** Streams bytes into a local file, at the disk's pace. Errors of the source pass unchanged. */
export async function saveStream(
  source: AsyncIterable<Uint8Array>,
  { path, offset = 0, bytesMax, tooLarge, count }: SaveOptions,
): Promise<SavedFile> {
  const hash = createHash('sha256');
  let bytes = offset;
  if (offset > 0) for await (const chunk of createReadStream(path, { end: offset - 1 })) hash.update(chunk);
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of atMost(source, bytesMax - offset, tooLarge)) {
      count?.(chunk.byteLength);
      bytes += chunk.byteLength;
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(measured, createWriteStream(path, { mode: OWNER_ONLY.file, flags: offset > 0 ? 'a' : 'w' }));
  return { bytes, sha256: hash.digest() };
}

/** Passes bytes through up to the limit, then throws `tooLarge`. */
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

/** Closes a stream that has no reader any more. The break is an error of the stream, for which nothing waits, either. */
export function discardStream(stream: Readable): void {
  stream.on('error', () => {}).destroy();
}
