import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateFiles } from '../../lab/generate/generate-files.ts';

const ROOT = join(import.meta.dirname, '../..');

it('generated files are those that `npm run generate` writes', async () => {
  for (const [path, text] of Object.entries(await generateFiles(ROOT))) {
    const current = await readFile(join(ROOT, path), 'utf8').catch(() => '');
    expect(current, `${path} is out of date: run \`npm run generate\``).toBe(text);
  }
});
