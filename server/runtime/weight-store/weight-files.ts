import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { PartFile } from '../../../models/core/inference/download-weights.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { errorCode } from './sources.ts';

/** Pause before unavailable weights are requested again: each try can cost many seconds. */
export const RETRY_AFTER_REFUSAL_MS = 5 * 60_000;

/** While a file is used, its time of access lies ahead by this, so that other processes and hosts see it. */
const AHEAD_MS = 60_000;

const BEAT_MS = 20_000;

interface Use {
  users: number;
  readonly timer: NodeJS.Timeout;
}

/** Files that this process uses, by path. */
const uses = new Map<string, Use>();

/** In two steps: a bundler would take a literal path for a module, and not find it. */
const resolveFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Weights that ship with the package. */
const BUNDLED_DIR = resolveFromHere('../../../models/weights');

/** Returns the path of a card's file, whether it exists or not. @param directory of downloaded weights */
export function getPath(directory: string, card: WeightCard): string {
  return join(card.url === null ? BUNDLED_DIR : directory, weightFileName(card));
}

/** Returns the path of the bytes of an unfinished download. */
export function getPart(path: string): string {
  return `${path}.part`;
}

/** Returns the path of the lock that the writer of the file holds. */
export function getLock(path: string): string {
  return `${path}.lock`;
}

/** Returns the size of a file in bytes; null when there is none. */
export async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}

/**
 * Marks a file as in use, until the function that it returns is called. The mark is the time of access, which the file
 * system may not keep itself. It ends within a minute when the process dies.
 */
export function markUse(path: string): () => void {
  const known = uses.get(path);
  const use: Use = known ?? {
    users: 0,
    timer: setInterval(() => void writeUse(path, Date.now() + AHEAD_MS), BEAT_MS).unref(),
  };
  if (!known) {
    uses.set(path, use);
    void writeUse(path, Date.now() + AHEAD_MS);
  }
  use.users += 1;
  return () => {
    use.users -= 1;
    if (use.users > 0) return;
    clearInterval(use.timer);
    uses.delete(path);
    void writeUse(path, Date.now());
  };
}

/** Writes the time of a file's last use: ahead of now while it lasts. A missing file has none. */
export async function writeUse(path: string, atMs: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  // Only an order depends on it: where it cannot be written, the file seems unused.
  if (found) await utimes(path, new Date(atMs), new Date(Math.round(found.mtimeMs))).catch(() => {});
}

/**
 * Lets `work` fill a file on disk, creates it if missing, and deletes it if empty. Once it returns, the bytes are
 * synced: a power failure cannot leave a final name on a partial file.
 * @throws OperationError `unavailable` when the disk is full or refuses
 */
export async function withPartFile(path: string, work: (file: PartFile) => Promise<void>): Promise<void> {
  const file = await open(path, 'a+').catch(diskFault);
  try {
    await work(partFile(path, file));
    await file.sync().catch(diskFault);
  } finally {
    const { size } = await file.stat();
    await file.close();
    if (size === 0) await rm(path, { force: true });
  }
}

function partFile(path: string, file: FileHandle): PartFile {
  return {
    size: async () => (await file.stat()).size,
    append: async (chunk) => void (await file.appendFile(chunk).catch(diskFault)),
    clear: () => file.truncate(0),
    sha256: () => getSha256(path),
  };
}

/** For `catch`: translates a fault of our own disk, which no other source can fix. */
function diskFault(cause: unknown): never {
  const code = errorCode(cause);
  const reason =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full. Free some space and try again; what has been downloaded is kept'
      : `the disk denies access (${code})`;
  throw new OperationError('unavailable', `DATA_DIR/models cannot be written: ${reason}.`, { cause });
}

export async function getSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** End of the text of a refusal for other bytes. */
const WRONG_END = ' The file there is not the right one.';

/**
 * Path of the file next to the weights that tells all processes of the last failed download: its text holds the
 * reason, its mtime the time.
 */
export function refusalPath(path: string): string {
  return `${path}.refused`;
}

/** Last failed download of a file. */
export interface Refusal {
  readonly reason: string;
  /** Whether a source has other bytes: waiting does not help. */
  readonly isWrong: boolean;
}

/** Reads the last refusal; null where the weights have not been unavailable recently. */
export async function readRefusal(path: string): Promise<Refusal | null> {
  const found = await stat(refusalPath(path)).catch(() => null);
  // Clocks of several hosts differ: a future time counts no longer than a past one.
  if (!found || Math.abs(Date.now() - found.mtimeMs) >= RETRY_AFTER_REFUSAL_MS) return null;
  const reason = await readFile(refusalPath(path), 'utf8').catch(() => '');
  return reason === '' ? null : { reason, isWrong: reason.endsWith(WRONG_END) };
}

/** Records a refusal. It only saves useless work: where it cannot be written, the next caller tries for itself. */
export async function writeRefusal(path: string, { reason, isWrong }: Refusal): Promise<void> {
  // The first file that is asked for may be refused before anything was stored here.
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY.folder }).catch(() => {});
  await writeFile(refusalPath(path), isWrong ? `${reason}${WRONG_END}` : reason).catch(() => {});
}

export async function removeRefusal(path: string): Promise<void> {
  await rm(refusalPath(path), { force: true });
}
