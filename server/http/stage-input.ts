import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationError } from '../../models/errors.ts';
import type { MicroUsd } from '../../models/money.ts';
import type { Operation } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import { download } from '../fetching/index.ts';

/** An input that has been fetched, checked and stored, before any money moves. */
export interface StagedInput {
  readonly input: { key: string; name: string; mediaType: string; bytes: number; sha256: Buffer };
  readonly facts: object;
  readonly price: MicroUsd;
}

/**
 * Fetches the user's URL to disk, reads facts and price from its bytes, and moves it into storage.
 * @throws OperationError `bad_request` naming the field; nothing is left behind then
 */
export async function stageInput(
  ctx: Context,
  request: {
    id: string;
    operation: Operation;
    field: string;
    url: string;
    params: object;
    signal: AbortSignal;
  },
): Promise<StagedInput> {
  const { operation, field } = request;
  const directory = join(ctx.env.DATA_DIR, 'incoming');
  await mkdir(directory, { recursive: true });
  const path = join(directory, request.id);
  try {
    const { bytes, sha256 } = await namingField(field, () =>
      download(request.url, {
        path,
        bytesMax: operation.limits.inputBytesMax,
        allowNetworks: ctx.env.FETCH_ALLOW_NETWORKS,
        signal: request.signal,
      }),
    );
    const blob = await openAsBlob(path);
    const { facts, price } = await namingField(field, () => operation.quote(blob, request.params));
    const key = `inputs/${request.id}/${randomBytes(16).toString('base64url')}/input`;
    const mediaType = 'mediaType' in facts ? String(facts.mediaType) : 'application/octet-stream';
    await ctx.storage.putFile(key, path, mediaType);
    return { input: { key, name: 'input', mediaType, bytes, sha256 }, facts, price };
  } finally {
    await rm(path, { force: true });
  }
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
