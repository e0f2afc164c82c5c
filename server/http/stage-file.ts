import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { OperationError } from '../../models/errors.ts';
import type { InputFacts, InputField } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db.ts';
import { download } from '../fetching/index.ts';
import { inIncomingFolder } from '../incoming.ts';
import type { StoredFile } from '../jobs/index.ts';
import { type SavedFile, saveStream } from '../save-stream.ts';
import { findUpload, takeUpload, uploadTokenOf } from '../uploads/index.ts';
import { decodeBase64 } from './base64.ts';

export interface FileRequest extends Pick<InputField, 'encoding' | 'media'> {
  /** Of the job to be. */
  readonly id: string;
  readonly accountId: string;
  /** The field that carries the file. */
  readonly field: string;
  /** What stands in it: a URL, or base64. */
  readonly value: string;
  /** What the job calls the file. */
  readonly name: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** A file that is in storage and has been checked, before any money moves. */
export interface StagedFile {
  readonly file: StoredFile;
  /** For the job's transaction. @throws OperationError `bad_request` when another request took the file meanwhile */
  take(tx: Tx): Promise<void>;
  /** When no job came of it: what was fetched for it goes, what was uploaded waits on. */
  drop(): Promise<void>;
}

type Inspect<Found> = (file: Blob) => Promise<Found & { readonly facts: InputFacts }>;

/**
 * Brings a file into storage: from the user's URL, from the request itself, or from what the account has uploaded before.
 * @param inspect looks at the bytes before they are stored
 * @throws OperationError `bad_request` naming the field; nothing is left behind then
 */
export async function stageFile<Found>(
  ctx: Context,
  request: FileRequest,
  inspect: Inspect<Found>,
): Promise<{ staged: StagedFile; found: Found }> {
  const look: Inspect<Found> = async (file) => {
    const found = await inspect(file);
    assertMedia(found.facts, request);
    return found;
  };
  const token = request.encoding === 'url' ? uploadTokenOf(ctx.env.PUBLIC_URL, request.value) : null;
  return await namingField(request.field, () =>
    inIncomingFolder(ctx.env, (directory) =>
      token === null
        ? stageBytes(ctx, request, look, directory)
        : stageUpload(ctx, request, look, { token, directory }),
    ),
  );
}

async function stageBytes<Found>(
  ctx: Context,
  request: FileRequest,
  inspect: Inspect<Found>,
  directory: string,
): Promise<{ staged: StagedFile; found: Found }> {
  const { id, name } = request;
  const path = join(directory, 'file');
  const saved = await (request.encoding === 'base64' ? decode(request, path) : fetchUrl(ctx, request, path));
  const found = await inspect(await openAsBlob(path));
  const { mediaType } = found.facts;
  const key = `inputs/${id}/${randomBytes(16).toString('base64url')}/${name}`;
  await ctx.storage.putFile(key, path, mediaType);
  const file = { key, name, mediaType, ...saved };
  return { staged: { file, take: async () => {}, drop: () => ctx.storage.delete(key) }, found };
}

async function fetchUrl(ctx: Context, request: FileRequest, path: string): Promise<SavedFile> {
  const { value, bytesMax, signal } = request;
  const allowNetworks = ctx.env.FETCH_ALLOW_NETWORKS;
  const { bytes, sha256 } = await download(value, { path, bytesMax, allowNetworks, signal });
  return { bytes, sha256 };
}

async function decode({ value, bytesMax }: FileRequest, path: string): Promise<SavedFile> {
  async function* decoded(): AsyncGenerator<Uint8Array> {
    yield decodeBase64(value);
  }
  return await saveStream(decoded(), { path, bytesMax, tooLarge: () => tooLarge(bytesMax) });
}

async function stageUpload<Found>(
  ctx: Context,
  { accountId, field, name, bytesMax }: FileRequest,
  inspect: Inspect<Found>,
  { token, directory }: { token: string; directory: string },
): Promise<{ staged: StagedFile; found: Found }> {
  const upload = await findUpload(ctx.db, { accountId, token });
  if (upload.bytes > bytesMax) throw tooLarge(bytesMax);
  const path = await ctx.storage.toLocalFile(upload.key, directory);
  const found = await inspect(await openAsBlob(path));
  const staged: StagedFile = {
    file: { ...upload, name, mediaType: found.facts.mediaType },
    take: (tx) => namingField(field, () => takeUpload(tx, { accountId, token })),
    drop: async () => {},
  };
  return { staged, found };
}

function assertMedia({ mediaType }: InputFacts, { media }: FileRequest): void {
  if (mediaType.startsWith(`${media}/`)) return;
  throw new OperationError('bad_request', `is ${mediaType}, but takes files of the kind ${media} only.`);
}

function tooLarge(bytesMax: number): OperationError {
  return new OperationError('bad_request', `must be at most ${bytesMax} bytes.`);
}

async function namingField<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof OperationError && thrown.code === 'bad_request') {
      throw new OperationError('bad_request', `${field}: ${thrown.message}`, { cause: thrown });
    }
    throw thrown;
  }
}
