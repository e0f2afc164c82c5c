import { randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** File system errors of volumes without hard links. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

interface SaveOptions {
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes a file next to its place, then moves it there whole: nobody sees a part of it.
 * @throws Error that names the path when it exists and `force` is not set
 */
export async function saveFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { force, signal }: SaveOptions,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`);
  try {
    await pipeline(bytes, createWriteStream(part, { flags: 'wx' }), { signal });
    if (force) await rename(part, path);
    else await linkIntoPlace(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** Returns the error of a file that the command must not replace. */
export function createExistsError(path: string): Error {
  return new Error(`${path} exists. Choose another --out, or overwrite it with --force.`);
}

/** Gives a file its final name, unless the name is taken. */
async function linkIntoPlace(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'EEXIST') throw createExistsError(path);
    if (!NO_LINKS.includes(code)) throw thrown;
    await copyFile(part, path, constants.COPYFILE_EXCL).catch((cause) => {
      throw codeOf(cause) === 'EEXIST' ? createExistsError(path) : cause;
    });
  }
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}
