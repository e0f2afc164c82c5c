import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { and, eq, gt, sql } from 'drizzle-orm';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import { countForDisk } from '../../base/disk-reserve.ts';
import { saveStream } from '../../base/streams.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import { createToken, insertUpload, type NewUpload, tooLarge, type UploadRow } from './limits.ts';
import { findMediaType, UNKNOWN_TYPE } from './media-type.ts';
import { expireUploads } from './stored-uploads.ts';
import { partKey, uploadKey } from './upload-url.ts';

const { uploads } = schema;
/** Parts of one upload: each is a separate object. */
const PARTS_MAX = 1000;

/**
 * Makes room for a file that will arrive in parts. It counts with its whole length from now on.
 * @param bytes 1 to `UPLOAD_BYTES_MAX`
 * @throws OperationError `too_many_requests` when the account has too many uploads, `storage_full`
 */
export async function startUpload(ctx: Context, upload: NewUpload, bytes: number): Promise<UploadRow> {
  (await countForDisk(ctx.env, 0))(bytes);
  return await insertUpload(ctx, upload, { token: createToken(), bytes, receivedBytes: 0 });
}

/**
 * Finds an upload by its token, complete or not.
 * A part that is arriving ends, and what has arrived of it counts.
 * @throws OperationError `not_found` when it is unknown, deleted or expired
 */
export async function findResumableUpload(ctx: Context, token: string): Promise<UploadRow> {
  await endActiveUpload(token);
  // A process may have died between the last part and the joining of all.
  await complete(ctx, token);
  return await findRow(ctx, token);
}

async function findRow({ db }: Context, token: string): Promise<UploadRow> {
  const [row] = await db.select().from(uploads).where(isOpen(token));
  if (row) return row;
  throw new OperationError('not_found', 'There is no such upload: it was deleted, or has expired.');
}

const isOpen = (token: string) =>
  and(eq(uploads.token, token), gt(uploads.expiresAt, sql`clock_timestamp()`));

/** Part that is arriving. */
export interface IncomingPart {
  /** Bytes of the file before this part. */
  readonly offset: number;
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends `body` early. */
  stop(): void;
}

interface ActiveUpload {
  stop(): void;
  readonly ended: Promise<unknown>;
}

// In the process: a connection that hangs on another machine finds its offset taken.
const activeUploads = new Map<string, ActiveUpload>();

/**
 * Ends the part that is arriving for a file, if there is one, and keeps what has arrived. A client that asks for the offset,
 * or sends a new part, has given up the connection before: it may hang for a while.
 */
async function endActiveUpload(token: string): Promise<void> {
  const earlier = activeUploads.get(token);
  earlier?.stop();
  await earlier?.ended;
}

/**
 * Appends a part to a file. What has arrived before the sender leaves is kept. With its last byte the file is complete.
 * @param offset bytes of the file before this part
 * @throws OperationError `conflict` when the file has another number of bytes so far, `bad_request` when the part goes
 *   beyond its end, `cancelled` when the sender leaves
 */
export async function receivePart(ctx: Context, token: string, part: IncomingPart): Promise<UploadRow> {
  while (activeUploads.has(token)) await endActiveUpload(token);
  let isGivenUp = false;
  const work = receive(ctx, token, part, () => isGivenUp);
  const own = {
    stop() {
      isGivenUp = true;
      part.stop();
    },
    ended: work.catch(() => {}),
  };
  activeUploads.set(token, own);
  try {
    return await work;
  } finally {
    if (activeUploads.get(token) === own) activeUploads.delete(token);
  }
}

async function receive(
  ctx: Context,
  token: string,
  { offset, body }: IncomingPart,
  isGivenUp: () => boolean,
): Promise<UploadRow> {
  const row = await findRow(ctx, token);
  const received = row.receivedBytes ?? row.bytes;
  if (received !== offset) throw wrongOffset(received);
  if (row.parts.length >= PARTS_MAX) {
    throw new OperationError('bad_request', `body: is part ${PARTS_MAX + 1}. Send larger parts.`);
  }
  let left: unknown;
  await withTempDir(ctx.env, async (directory) => {
    const path = join(directory, 'part');
    const source = untilEnd(body, (thrown) => {
      left = thrown;
    });
    const beyond = () =>
      new OperationError('bad_request', `body: goes beyond the ${row.bytes} bytes of the file.`);
    const bytesMax = row.bytes - offset;
    const count = await countForDisk(ctx.env, 0);
    const { bytes } = await saveStream(source, { path, bytesMax, tooLarge: beyond, count });
    // A later request has come before anything of this part.
    if (bytes === 0 && isGivenUp()) throw wrongOffset(null);
    if (bytes > 0) await append(ctx, { token, offset, bytes, path });
  });
  if (left) throw left;
  await complete(ctx, token);
  return await findRow(ctx, token);
}

/** Passes chunks on until the source ends or fails, and reports how it fails. */
async function* untilEnd(
  source: AsyncIterable<Uint8Array>,
  onFailure: (thrown: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (thrown) {
    onFailure(thrown);
  }
}

/** Stores a part, of several at the same offset the first one. */
async function append(
  { db, storage, log }: Context,
  { token, offset, bytes, path }: { token: string; offset: number; bytes: number; path: string },
): Promise<void> {
  const key = partKey(token);
  await storage.putFile(key, path, UNKNOWN_TYPE);
  const [appended] = await db
    .update(uploads)
    .set({
      receivedBytes: offset + bytes,
      parts: sql`array_append(${uploads.parts}, ${key})`,
    })
    .where(and(isOpen(token), eq(uploads.receivedBytes, offset)))
    .returning({ token: uploads.token });
  if (appended) return;
  await storage.delete(key).catch((err) => log.warn({ err }, 'a part is left for clean-up'));
  throw wrongOffset(null);
}

// In the process: each takes the disk of a whole file.
const activeJoins = new Map<string, Promise<void>>();

/**
 * Joins the parts of a file that has arrived whole. Does nothing for a complete one; several calls at the same time
 * make the same object.
 */
async function complete(ctx: Context, token: string): Promise<void> {
  const known = activeJoins.get(token);
  if (known) return known;
  const work = joinParts(ctx, token).finally(() => activeJoins.delete(token));
  activeJoins.set(token, work);
  return work;
}

async function joinParts(ctx: Context, token: string): Promise<void> {
  const { accountId, bytes, receivedBytes, parts } = await findRow(ctx, token);
  if (receivedBytes === null || receivedBytes < bytes) return;
  const { storage, log } = ctx;
  try {
    await withTempDir(ctx.env, async (directory) => {
      const path = join(directory, 'upload');
      const { sha256 } = await saveStream(joinedParts(ctx, parts, directory), {
        path,
        bytesMax: bytes,
        tooLarge,
      });
      const mediaType = await findMediaType(ctx, accountId, path);
      await storage.putFile(uploadKey(token), path, mediaType);
      await ctx.db
        .update(uploads)
        .set({ receivedBytes: null, sha256, mediaType, parts: [] })
        .where(and(isOpen(token), eq(uploads.receivedBytes, bytes)));
    });
  } catch (thrown) {
    // Another call may have completed it and deleted the parts.
    if ((await findRow(ctx, token)).receivedBytes !== null) throw thrown;
  }
  const results = await Promise.allSettled(parts.map((key) => storage.delete(key)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) log.warn({ err: failed.reason }, 'some parts are left for clean-up');
}

async function* joinedParts({ storage }: Context, parts: readonly string[], directory: string) {
  for (const key of parts) yield* createReadStream(await storage.toLocalFile(key, directory));
}

/**
 * Deletes an upload.
 * @throws OperationError `not_found`
 */
export async function deleteUpload(ctx: Context, token: string): Promise<void> {
  await endActiveUpload(token);
  if (!(await expireUploads(ctx, isOpen(token)))) await findRow(ctx, token);
}

function wrongOffset(received: number | null): OperationError {
  const is = received === null ? 'is another one by now' : `is ${received}`;
  return fieldError('Upload-Offset', `${is}. Ask for it by HEAD, and send the bytes from there.`, {
    code: 'conflict',
  });
}
