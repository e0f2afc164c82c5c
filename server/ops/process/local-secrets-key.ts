import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRETS_KEY_BYTES } from '../../base/env.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';

const FILE = 'secrets.key';

/**
 * Returns the SECRETS_KEY of a local install: made on first use, then the same for all its processes and scripts. It
 * is stored next to the database, not in it: a copy of the database alone opens no secret.
 */
export async function readLocalSecretsKey(dataDir: string): Promise<string> {
  const path = join(dataDir, FILE);
  const known = await readKey(path);
  if (known) return known;
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  await writeFile(draft, `${randomBytes(SECRETS_KEY_BYTES).toString('base64')}\n`, { mode: OWNER_ONLY.file });
  // The first of several processes decides, with a whole file.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  const made = await readKey(path);
  if (!made) throw new Error(`${path}: was not stored.`);
  return made;
}

async function readKey(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text?.trim();
}
