import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ConnectionError } from '../../errors.ts';
import type { Transport } from '../../transport.ts';
import type { ClaimedFile } from '../../types.ts';
import type { MadeFile } from './machine.ts';

/** Downloads a file of a request. @throws ConnectionError when it arrives in part or damaged */
export async function downloadFile(
  transport: Transport,
  { path: from, sha256 }: ClaimedFile,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await transport.open(from, { signal });
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const source = Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>);
  await pipeline(source, hashing, createWriteStream(path), { signal }).catch((cause) => {
    signal.throwIfAborted();
    // fetch ends a body that breaks off by a TypeError; any other fault is that of this machine.
    throw cause instanceof TypeError ? new ConnectionError('The file broke off.', { cause }) : cause;
  });
  if (hash.digest('hex') !== sha256) throw new ConnectionError('The file arrived damaged.');
}

/** Downloads input and attachments into a new folder. */
export async function downloadFiles(
  run: { readonly input: ClaimedFile; readonly attachments: Readonly<Record<string, ClaimedFile>> },
  directory: string,
  download: (file: ClaimedFile, path: string) => Promise<void>,
): Promise<{ readonly inputPath: string; readonly attachmentPaths: Readonly<Record<string, string>> }> {
  await mkdir(directory);
  const inputPath = join(directory, 'input');
  await download(run.input, inputPath);
  const attachmentPaths: Record<string, string> = {};
  for (const [at, [name, file]] of Object.entries(run.attachments).entries()) {
    const path = join(directory, `attachment-${at}`);
    await download(file, path);
    attachmentPaths[name] = path;
  }
  return { inputPath, attachmentPaths };
}

/** Sends a file of a result. @param place positions of the run, and of the file in its result */
export async function sendFile(
  transport: Transport,
  claimPath: string,
  { name, mediaType, sha256, path }: MadeFile & { readonly path: string },
  place: { readonly position: number; readonly file: number },
  signal: AbortSignal,
): Promise<void> {
  const digest = Buffer.from(sha256, 'hex').toString('base64');
  await transport.json(`${claimPath}/files`, {
    method: 'POST',
    query: { ...place, name },
    headers: { 'content-type': mediaType, 'content-digest': `sha-256=:${digest}:` },
    body: await openAsBlob(path),
    signal,
  });
}
