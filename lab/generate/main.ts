import { join } from 'node:path';
import { writeVipsGlue } from '../../server/ops/build/patch-vips.ts';
import { writeGeneratedFiles } from './generate-files.ts';

/** `npm run generate`: writes the files that follow from the operations, the sync client of Python, and the glue of wasm-vips. */
const root = join(import.meta.dirname, '../..');
writeVipsGlue(root);
await writeGeneratedFiles(root);
