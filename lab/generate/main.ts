import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateFiles } from './generate-files.ts';

const ROOT = join(import.meta.dirname, '../..');

for (const [path, text] of Object.entries(await generateFiles(ROOT))) await writeFile(join(ROOT, path), text);
