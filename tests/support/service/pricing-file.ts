import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes terms to its own file, as JSON unless they are text. Returns its path. */
export async function writePricingFile(terms: unknown): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'darkroom-terms-')), 'terms.json');
  await writeFile(path, typeof terms === 'string' ? terms : JSON.stringify(terms));
  return path;
}
