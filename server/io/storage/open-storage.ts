import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { awaitRecovery, RECOVERY_MS } from '../../base/database/await-recovery.ts';
import type { Env } from '../../base/env.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { OutageError } from '../../base/outage.ts';
import type { ByteRange, Storage, StoredObject } from '../../base/storage.ts';
import { assertStorageKey, missingObject } from './storage-key.ts';

/** Errors that JavaScript itself throws for a wrong value or name: the stores' own errors are none of these. */
const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Errors of file systems without links, and of a file that has as many as it may. */
const LINKLESS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

/**
 * Opens the store that the environment names: a bucket, or a folder of `DATA_DIR`. Its calls wait for the end of a
 * short outage, and then throw `OutageError`.
 */
export async function openStorage(env: Env): Promise<Storage> {
  return reportOutages(await openPlainStorage(env));
}

async function openPlainStorage(env: Env): Promise<Storage> {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return openDiskStorage(join(env.DATA_DIR, 'storage'));
  }
  // The client is large: an installation that stores results on disk need not load it.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage({
    bucket: S3_BUCKET,
    region: S3_REGION,
    endpoint: S3_ENDPOINT ?? null,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  });
}

/**
 * Makes a store wait for its own recovery, and report an outage as `OutageError`. Errors of ours pass unchanged.
 * @param timeoutMs longest wait of a call
 */
export function reportOutages(storage: Storage, timeoutMs = RECOVERY_MS): Storage {
  const call = <T>(step: () => Promise<T>): Promise<T> =>
    awaitRecovery(() => step().catch(throwOutage), isOutage, timeoutMs);
  return {
    putFile: (key, path, mediaType) => call(() => storage.putFile(key, path, mediaType)),
    copy: (from, to) => call(() => storage.copy(from, to)),
    get: (key, range) => call(() => storage.get(key, range)),
    toLocalFile: (key, directory) => call(() => storage.toLocalFile(key, directory)),
    delete: (key) => call(() => storage.delete(key)),
    async *list(prefix, before) {
      try {
        yield* storage.list(prefix, before);
      } catch (thrown) {
        throwOutage(thrown);
      }
    },
    // Callers want to know about now.
    check: () => storage.check().catch(throwOutage),
  };
}

function isOutage(thrown: unknown): boolean {
  return thrown instanceof OutageError;
}

function throwOutage(thrown: unknown): never {
  const isOurs = thrown instanceof OperationError || BUGS.some((kind) => thrown instanceof kind);
  throw isOurs ? thrown : new OutageError('store', thrown);
}

/**
 * Opens a store of objects as files below one folder. Storing is a rename where the file system allows it. Bytes and
 * directory entry are synced first (about 1 ms), so that no power failure leaves a paid job without its result.
 * Only the owner of the process can enter the folder.
 */
async function openDiskStorage(root: string): Promise<Storage> {
  await mkdir(root, { recursive: true, mode: OWNER_ONLY.folder });
  // A folder that was there before may be open to others. Only its owner can change that.
  await chmod(root, OWNER_ONLY.folder).catch(() => {});
  const getPath = (key: string): string => join(root, assertStorageKey(key));
  return {
    putFile: (key, path) => putFile(getPath(key), path),
    copy: (from, to) => share(getPath(from), getPath(to)).catch(mapAbsent(missingObject(from))),
    get: (key, range) => get(key, getPath(key), range),
    async toLocalFile(key) {
      const path = getPath(key);
      await access(path).catch(mapAbsent(missingObject(key)));
      return path;
    },
    delete: (key) => remove(getPath(key)),
    list: (prefix, before) => list(root, prefix, before),
    check: () => access(root, constants.R_OK | constants.W_OK),
  };
}

/** For `catch`: replaces "no such file" by another error. */
function mapAbsent(replacement: unknown): (error: unknown) => never {
  return (error) => {
    throw isAbsent(error) ? replacement : error;
  };
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

async function putFile(target: string, source: string): Promise<void> {
  await Promise.all([
    mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY.folder }),
    sync(source, OWNER_ONLY.file),
  ]);
  await rename(source, target).catch((error) =>
    error.code === 'EXDEV' ? copyWhole(source, target) : Promise.reject(error),
  );
  await sync(dirname(target));
}

/** Gives a file a further name: the file system counts them, and keeps the bytes until the last is deleted. */
async function share(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY.folder });
  await link(source, target).catch((error) =>
    LINKLESS.has(error.code) ? copyWhole(source, target) : Promise.reject(error),
  );
  await sync(dirname(target));
}

/** Copies a file where it cannot be renamed or linked. A crash leaves an orphan, which the clean-up deletes. */
async function copyWhole(source: string, target: string): Promise<void> {
  const partial = `${target}.${randomUUID()}`;
  try {
    await copyFile(source, partial);
    await sync(partial);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

/** @param mode that the file gets; its own when absent */
async function sync(path: string, mode?: number): Promise<void> {
  const handle = await open(path, 'r');
  try {
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function get(key: string, path: string, range?: ByteRange): Promise<StoredObject> {
  const handle = await open(path, 'r').catch(mapAbsent(missingObject(key)));
  const { size } = await handle.stat();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const bytes = Math.max(0, Math.min(end, size - 1) - start + 1);
  // createReadStream supports no empty range.
  if (bytes === 0) return { bytes, stream: handle.createReadStream({ start: size }) };
  return { bytes, stream: handle.createReadStream({ start, end: start + bytes - 1 }) };
}

/** Deletes an object and the folders that held only it: its token's and its request's. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true });
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    const emptied = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!emptied) return;
  }
}

async function* list(root: string, prefix: string, before: Date): AsyncIterable<string> {
  // Listed objects may be deleted during the listing, even by the caller.
  for await (const path of walk(join(root, dirname(assertStorageKey(`${prefix}x`))))) {
    const key = relative(root, path);
    if (!key.startsWith(prefix)) continue;
    const found = await stat(path).catch(() => null);
    // A further name of an old file is new: only the time of its last change tells.
    if (found && found.ctime < before) yield key;
  }
}

async function* walk(folder: string): AsyncIterable<string> {
  const items = await readdir(folder, { withFileTypes: true }).catch((error) =>
    isAbsent(error) ? [] : Promise.reject(error),
  );
  for (const item of items) {
    const path = join(folder, item.name);
    if (item.isDirectory()) yield* walk(path);
    else if (item.isFile()) yield path;
  }
}
