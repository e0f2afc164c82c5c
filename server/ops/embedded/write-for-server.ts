import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { chownToServer } from './home.ts';

/** Writes a file of the server in one step: another process may be starting a server that reads it. */
export async function writeForServer(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: OWNER_ONLY.file });
  await chownToServer(draft);
  await rename(draft, path);
}
