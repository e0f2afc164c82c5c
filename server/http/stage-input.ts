import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { OperationError } from '../../models/errors.ts';
import type { MicroUsd } from '../../models/money.ts';
import type { Operation } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db.ts';
import { download } from '../fetching/index.ts';
import { inIncomingFolder } from '../incoming.ts';
import type { StoredFile } from '../jobs/index.ts';
import { findUpload, takeUpload, uploadTokenOf } from '../uploads/index.ts';

export interface InputRequest {
  /** Of the job to be. */
  readonly id: string;
  readonly accountId: string;
  readonly operation: Operation;
  /** The request field that carries the URL. */
  readonly field: string;
  readonly url: string;
  readonly params: object;
  readonly signal: AbortSignal;
}

/** An input that is in storage and has been checked, before any money moves. */
export interface StagedInput {
  readonly input: StoredFile;
  readonly facts: object;
  readonly price: MicroUsd;
  /** For the job's transaction. @throws OperationError `bad_request` when another request took the input meanwhile */
  take(tx: Tx): Promise<void>;
  /** When no job came of it: what was fetched for it goes, what was uploaded waits on. */
  drop(): Promise<void>;
}

/**
 * Brings the input into storage, from the user's URL or from what the account has uploaded before, and reads facts and
 * price from its bytes.
 * @throws OperationError `bad_request` naming the field; nothing is left behind then
 */
export async function stageInput(ctx: Context, request: InputRequest): Promise<StagedInput> {
  const token = uploadTokenOf(ctx.env.PUBLIC_URL, request.url);
  return await namingField(request.field, () =>
    inIncomingFolder(ctx.env, (directory) =>
      token === null ? stageDownload(ctx, request, directory) : stageUpload(ctx, request, token, directory),
    ),
  );
}

async function stageDownload(ctx: Context, request: InputRequest, directory: string): Promise<StagedInput> {
  const path = join(directory, 'input');
  const { bytes, sha256 } = await download(request.url, {
    path,
    bytesMax: request.operation.limits.inputBytesMax,
    allowNetworks: ctx.env.FETCH_ALLOW_NETWORKS,
    signal: request.signal,
  });
  const { mediaType, ...quote } = await quoteFile(request, path);
  const key = `inputs/${request.id}/${randomBytes(16).toString('base64url')}/input`;
  await ctx.storage.putFile(key, path, mediaType);
  return {
    ...quote,
    input: { key, name: 'input', mediaType, bytes, sha256 },
    take: async () => {},
    drop: () => ctx.storage.delete(key),
  };
}

async function stageUpload(
  ctx: Context,
  request: InputRequest,
  token: string,
  directory: string,
): Promise<StagedInput> {
  const { accountId, operation, field } = request;
  const upload = await findUpload(ctx.db, { accountId, token });
  const { inputBytesMax } = operation.limits;
  if (upload.bytes > inputBytesMax) {
    throw new OperationError('bad_request', `must be at most ${inputBytesMax} bytes.`);
  }
  const path = await ctx.storage.toLocalFile(upload.key, directory);
  const { mediaType, ...quote } = await quoteFile(request, path);
  return {
    ...quote,
    input: { ...upload, name: 'input', mediaType },
    take: (tx) => namingField(field, () => takeUpload(tx, { accountId, token })),
    drop: async () => {},
  };
}

async function quoteFile({ operation, params }: InputRequest, path: string) {
  const quote = await operation.quote(await openAsBlob(path), params);
  const { facts } = quote;
  return {
    ...quote,
    mediaType: 'mediaType' in facts ? String(facts.mediaType) : 'application/octet-stream',
  };
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
