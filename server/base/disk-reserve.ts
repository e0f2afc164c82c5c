import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { Env } from './env.ts';
import { OutageError } from './outage.ts';

/**
 * Room on the disks of a process. `low`: less than DISK_RESERVE_MB is free, so nothing large is stored; `full`: less
 * than a quarter of it is, so no job is accepted.
 */
export type DiskState = 'ample' | 'low' | 'full';

type DiskEnv = Pick<Env, 'DATA_DIR' | 'DISK_RESERVE_MB'>;

/** Largest file that is stored while the disk is low: small jobs go on. */
export const SMALL_BYTES_MAX = 10_000_000;

const FULL_PART = 1 / 4;
/** Time for which a look at the disks counts. */
const KEPT_MS = 1_000;
/** Expired files are deleted within minutes. */
const RETRY_SECONDS = 60;

interface Look {
  freeBytes: number;
  atMs: number;
  reading?: Promise<void> | undefined;
}

const looks = new WeakMap<DiskEnv, Look>();

/**
 * Returns the bytes that are free on the disk of DATA_DIR, of the embedded database or of the temporary folder, whichever
 * has least; as of at most a second ago.
 */
export async function readFreeBytes(env: DiskEnv): Promise<number> {
  const look = lookAt(env);
  await look.reading;
  return look.freeBytes;
}

export async function readDiskState(env: DiskEnv): Promise<DiskState> {
  return judge(env, await readFreeBytes(env));
}

function judge({ DISK_RESERVE_MB }: DiskEnv, freeBytes: number): DiskState {
  const reserve = DISK_RESERVE_MB * 1_000_000;
  if (freeBytes >= reserve) return 'ample';
  return freeBytes >= reserve * FULL_PART ? 'low' : 'full';
}

/** Returns the last look, and begins another one when it is old. */
function lookAt(env: DiskEnv): Look {
  const look = looks.get(env) ?? { freeBytes: Number.POSITIVE_INFINITY, atMs: Number.NEGATIVE_INFINITY };
  looks.set(env, look);
  if (!look.reading && performance.now() - look.atMs > KEPT_MS) {
    look.reading = measureFree(env).then((bytes) => {
      Object.assign(look, { freeBytes: bytes, atMs: performance.now(), reading: undefined });
    });
  }
  return look;
}

async function measureFree({ DATA_DIR }: DiskEnv): Promise<number> {
  const folders = [DATA_DIR, join(DATA_DIR, 'postgres'), tmpdir()];
  const free = folders.map((folder) =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      // A folder that is not there takes nothing.
      () => Number.POSITIVE_INFINITY,
    ),
  );
  return Math.min(...(await Promise.all(free)));
}

/** @throws OutageError when the disk is too full for any job */
export async function assertDiskNotFull(env: DiskEnv): Promise<void> {
  if ((await readDiskState(env)) === 'full') throw new OutageError('disk');
}

/**
 * Returns a count of the bytes of a file that arrives, which ends one that the disk has no room for.
 * @param bytesMax that pass while the disk is low
 * @param count further count
 * @returns the count; it throws OperationError `storage_full`
 */
export async function countForDisk(
  env: DiskEnv,
  bytesMax: number,
  count?: (bytes: number) => void,
): Promise<(bytes: number) => void> {
  await readFreeBytes(env);
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > bytesMax && judge(env, lookAt(env).freeBytes) !== 'ample') throw storageFull();
    count?.(bytes);
  };
}

function storageFull(): OperationError {
  return new OperationError(
    'storage_full',
    'The disk of the service is nearly full, so only small files are stored now. Try again later.',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
