import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnFolder } from '../../../server/base/own-folders.ts';

/** Writes terms to its own file, as JSON unless they are text. It goes with this process. Returns its path. */
export async function writePricingFile(terms: unknown): Promise<string> {
  const path = join(makeOwnFolder(tmpdir()), 'terms.json');
  await writeFile(path, typeof terms === 'string' ? terms : JSON.stringify(terms));
  return path;
}
