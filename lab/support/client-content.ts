import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import manifest from '../../clients/typescript/package.json' with { type: 'json' };

const FOLDERS = ['clients/typescript/src', 'clients/python/darkroom'];
const FILES = [
  ...['LICENCE.md', 'python/README.md', 'typescript/README.md', 'typescript/package.json'].map(
    (name) => `clients/${name}`,
  ),
  'server/ops/build/build-typescript-client.ts',
  'server/ops/build/write-wheel.ts',
];
const KINDS: readonly string[] = ['.ts', '.py', '.typed'];

/** File with the version of the clients, and the hash of what it contains. */
export const RELEASE_FILE = 'clients/release.json';

export interface Release {
  readonly version: string;
  /** SHA-256 of the content in hex, without its version. */
  readonly sha256: string;
}

/**
 * Describes the clients as they are: all that becomes a part of their packages. Their generated files must be up to date.
 * @param root folder of the project
 */
export async function describeRelease(root: string): Promise<Release> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => KINDS.includes(extname(name))).map((name) => join(folder, name));
    }),
  );
  const hash = createHash('sha256');
  for (const path of [...FILES, ...lists.flat()].toSorted()) {
    const text = (await readFile(join(root, path), 'utf8')).replaceAll(manifest.version, '');
    hash.update(`${path}\0${text}\0`);
  }
  return { version: manifest.version, sha256: hash.digest('hex') };
}
