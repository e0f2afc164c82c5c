import { createWriteStream, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';

/** Files of a run on this machine, checked as the service checks those of a request. */
export interface LocalInput {
  readonly inputPath: string;
  /** Paths by param name. */
  readonly attachmentPaths: Readonly<Record<string, string>>;
  readonly facts: InputFacts;
}

interface Given {
  /** Absolute path, or URL. */
  readonly input: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Folder for files from URLs. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * Opens the input of a run, and fetches what is given by URL.
 * @throws OperationError for wrong params or files, `unfetchable` for a URL without a file
 */
export async function openLocalInput(
  operation: Operation,
  { input, params, directory, signal }: Given,
): Promise<LocalInput> {
  const attachments = operation.attachments(params);
  const inputPath = /^https?:/i.test(input)
    ? await fetchFile(input, join(directory, 'input'), signal)
    : input;
  const facts = await readInputFacts(operation, inputPath, params);
  const fetched = attachments.map(async ({ name, url, media: kinds }) => {
    const path = await fetchFile(url, join(directory, `attachment-${name}`), signal);
    await operation.probe(await openAsBlob(path), kinds);
    return [name, path] as const;
  });
  return { inputPath, attachmentPaths: Object.fromEntries(await Promise.all(fetched)), facts };
}

/** Reads the facts of an input. @throws OperationError for wrong params or a file of another kind */
export async function readInputFacts(
  operation: Operation,
  path: string,
  params: Readonly<Record<string, unknown>>,
): Promise<InputFacts> {
  const media = Object.values(operation.inputs).flatMap((field) => field.media);
  const { facts } = await operation.quote(await openAsBlob(path), params, media);
  return facts;
}

/** Fetches a file by its user's own network rights. @returns its path */
async function fetchFile(url: string, path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new OperationError('unfetchable', `${url} cannot be fetched.`, { cause });
  });
  if (!response.ok || !response.body) {
    throw new OperationError('unfetchable', `${url} cannot be fetched: HTTP status ${response.status}.`);
  }
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  await pipeline(body, createWriteStream(path), { signal });
  return path;
}
