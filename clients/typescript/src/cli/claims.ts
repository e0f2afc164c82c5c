import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  ConflictError,
  ConnectionError,
  NotFoundError,
  ServiceError,
  TooManyRequestsError,
} from '../errors.ts';
import { pause, type Transport } from '../transport.ts';
import type { ClaimedFile } from '../types.ts';
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

/** Reports within a lease, so that one may be lost. */
const REPORTS_PER_LEASE = 4;

interface Keeping {
  readonly transport: Transport;
  readonly claimPath: string;
  readonly leaseSeconds: number;
  /** Returns the share of the job that is done, 0 to 1. */
  readonly progress: () => number;
  /** Called when the service says that the job is no longer this worker's. */
  readonly onOver: (reason: Error) => void;
}

/**
 * Reports the progress of a job again and again, which keeps it. A report that does not arrive is followed by the next
 * one: the job stays this worker's until another takes it.
 * @returns a function that ends it
 */
export function startKeeping({ transport, claimPath, leaseSeconds, progress, onOver }: Keeping): () => void {
  const ended = new AbortController();
  let isReporting = false;
  const report = async (): Promise<void> => {
    if (isReporting) return;
    isReporting = true;
    const body = { progress: progress() };
    try {
      await transport.json(`${claimPath}/progress`, { method: 'POST', body, signal: ended.signal });
    } catch (thrown) {
      if (!ended.signal.aborted && isOver(thrown)) onOver(thrown);
    } finally {
      isReporting = false;
    }
  };
  const timer = setInterval(() => void report(), (leaseSeconds * 1000) / REPORTS_PER_LEASE);
  return () => {
    clearInterval(timer);
    ended.abort();
  };
}

/** Reports whether an error says that a claim is no longer this worker's. */
export function isOver(thrown: unknown): thrown is ConflictError | NotFoundError {
  return thrown instanceof ConflictError || thrown instanceof NotFoundError;
}

/** First pause after a failed call, which doubles up to the longest. */
const PAUSE_MS = { first: 1_000, max: 60_000 };

interface Persistence {
  readonly signal: AbortSignal;
  /** Called before each pause. */
  readonly onTrouble: (thrown: Error, pauseMs: number) => void;
  /** Overrides the first pause. */
  readonly firstPauseMs?: number | undefined;
}

/**
 * Repeats a call for as long as the service is out of reach, busy or at fault, with growing pauses.
 * @throws any other error of the call, or the signal's reason
 */
export async function persist<Result>(
  call: () => Promise<Result>,
  { signal, onTrouble, firstPauseMs = PAUSE_MS.first }: Persistence,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (thrown) {
      signal.throwIfAborted();
      if (!mayPass(thrown)) throw thrown;
      const askedMs = 'retryAfterSeconds' in thrown ? (thrown.retryAfterSeconds ?? 0) * 1000 : 0;
      const waitMs = Math.max(pauseMs, Math.min(askedMs, PAUSE_MS.max));
      onTrouble(thrown, waitMs);
      await pause(waitMs, signal);
    }
  }
}

function mayPass(thrown: unknown): thrown is ConnectionError | ServiceError | TooManyRequestsError {
  return [ConnectionError, ServiceError, TooManyRequestsError].some((kind) => thrown instanceof kind);
}
