import { join } from 'node:path';
import { buildOnce } from '../../../models/core/build-once.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { countForDisk } from '../../base/disk-reserve.ts';
import type { Env } from '../../base/env.ts';
import { saveStream } from '../../base/streams.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import {
  assertUploadQuota,
  createToken,
  insertUpload,
  type NewUpload,
  tooLarge,
  UPLOAD_BYTES_MAX,
  type UploadRow,
} from './limits.ts';
import { findMediaType } from './media-type.ts';
import { uploadKey } from './upload-url.ts';

/** Unfinished uploads of an account. */
interface UnfinishedUploads {
  readonly uploads: number;
  readonly bytes: number;
}

const NONE: UnfinishedUploads = { uploads: 0, bytes: 0 };

// In the process, since what has not arrived occupies only its machine.
const getAccounts = buildOnce((_env: Env) => new Map<string, UnfinishedUploads>());

export interface IncomingUpload extends NewUpload {
  readonly body: AsyncIterable<Uint8Array>;
  /** Bytes that the sender declares; 0 without a declaration. */
  readonly declaredBytes: number;
}

/**
 * Streams a file into storage, for later requests of its account. The object is stored before its row: a process
 * that dies in between leaves an orphan, which the clean-up deletes.
 * @throws OperationError `bad_request` when the body is empty or larger than any operation allows;
 *   `too_many_requests` when the account has too many uploads, unfinished ones included; `unauthorized` when it
 *   was deleted during the upload; `storage_full`
 */
export async function receiveUpload(ctx: Context, incoming: IncomingUpload): Promise<UploadRow> {
  if (incoming.declaredBytes > UPLOAD_BYTES_MAX) throw tooLarge();
  const { accountId, declaredBytes } = incoming;
  const { others, leave } = countUnfinishedUpload(ctx.env, accountId, declaredBytes || UPLOAD_BYTES_MAX);
  try {
    await assertUploadQuota(ctx, ctx.db, accountId, {
      uploads: others.uploads,
      bytes: others.bytes + declaredBytes,
    });
    return await receive(ctx, incoming);
  } finally {
    leave();
  }
}

async function receive(ctx: Context, { body, declaredBytes, ...upload }: IncomingUpload): Promise<UploadRow> {
  return await withTempDir(ctx.env, async (directory) => {
    const path = join(directory, 'upload');
    const count = await countForDisk(ctx.env, 0);
    count(declaredBytes);
    const saved = await saveStream(body, { path, bytesMax: UPLOAD_BYTES_MAX, tooLarge, count });
    if (saved.bytes === 0) {
      throw new OperationError('bad_request', 'body: is empty. Send the file itself as the body.');
    }
    const mediaType = await findMediaType(ctx, upload.accountId, path);
    const token = createToken();
    await ctx.storage.putFile(uploadKey(token), path, mediaType);
    try {
      return await insertUpload(ctx, upload, { token, mediaType, ...saved });
    } catch (thrown) {
      await ctx.storage
        .delete(uploadKey(token))
        .catch((err) => ctx.log.warn({ err }, 'upload left for clean-up'));
      throw thrown;
    }
  });
}

/**
 * Counts an upload from its first byte on.
 * @param bytes that it may have
 * @returns the account's other unfinished uploads, and a function that ends the count
 */
function countUnfinishedUpload(
  env: Env,
  accountId: string,
  bytes: number,
): { others: UnfinishedUploads; leave: () => void } {
  const arriving = getAccounts(env);
  const change = (uploads: number, more: number): UnfinishedUploads => {
    const before = arriving.get(accountId) ?? NONE;
    const after = { uploads: before.uploads + uploads, bytes: before.bytes + more };
    if (after.uploads > 0) arriving.set(accountId, after);
    else arriving.delete(accountId);
    return before;
  };
  const others = change(1, bytes);
  return { others, leave: () => void change(-1, -bytes) };
}
