import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { getKeys } from '../../../models/core/records.ts';
import { CODINGS, type Coding, ENCODED_TYPES } from '../../api/transport/negotiate-encoding.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';

/** Smaller files fit into a packet or two uncompressed. */
const BYTES_MIN = 1_000;
/** Size of a large file: brotli's best setting takes three seconds per megabyte, for a tenth of the bytes. */
const LARGE_BYTES = 1_000_000;

const ENCODERS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => {
    const quality = bytes.length < LARGE_BYTES ? constants.BROTLI_MAX_QUALITY : 9;
    return promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    });
  },
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Stores each script, style and WebAssembly file of a build in every content coding next to it. Skips existing files,
 * and takes unchanged large ones from the build's cache.
 * @param buildDir Next's build folder
 */
export async function compressFiles(buildDir: string): Promise<void> {
  const root = join(buildDir, 'static');
  const cache = getCache(buildDir);
  await mkdir(cache, { recursive: true });
  const names = await readdir(root, { recursive: true });
  const paths = names.filter((name) => extname(name) in ENCODED_TYPES).map((name) => join(root, name));
  const codings = getKeys(CODINGS);
  const wanted = paths.flatMap((path) => codings.map((coding) => ({ path, coding })));
  await mapConcurrent(wanted, availableParallelism(), ({ path, coding }) => compress(path, coding, cache));
}

/**
 * Encodes large files that a build will copy as they are, into the build's cache: it needs nothing of the build, which
 * leaves cores idle for much of its time. Files that do not exist are left to the build.
 */
export async function encodeAhead(paths: readonly string[], buildDir: string): Promise<void> {
  const cache = getCache(buildDir);
  await mkdir(cache, { recursive: true });
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null);
    if (!bytes || bytes.length < LARGE_BYTES) continue;
    for (const coding of getKeys(CODINGS)) await encodeToCache(bytes, coding, cache);
  }
}

const getCache = (buildDir: string): string => join(buildDir, 'cache', 'encoded');

/** @returns the path of the encoded file */
async function encodeToCache(bytes: Buffer, coding: Coding, cache: string): Promise<string> {
  const path = join(cache, createHash('sha256').update(bytes).digest('hex') + CODINGS[coding]);
  if (await exists(path)) return path;
  await writeFile(`${path}.part`, await ENCODERS[coding](bytes));
  await rename(`${path}.part`, path);
  return path;
}

async function compress(path: string, coding: Coding, cache: string): Promise<void> {
  const target = path + CODINGS[coding];
  if ((await exists(target)) || (await stat(path)).size < BYTES_MIN) return;
  const bytes = await readFile(path);
  // Whole or not at all: a build may be broken off, and the next start continues it.
  const part = `${target}.part`;
  if (bytes.length < LARGE_BYTES) {
    await writeFile(part, await ENCODERS[coding](bytes));
  } else {
    await copyFile(await encodeToCache(bytes, coding, cache), part);
  }
  await rename(part, target);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
