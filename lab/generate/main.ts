import { join } from 'node:path';
import { writeGeneratedFiles } from './generate-files.ts';

/** `npm run generate`: writes the files that follow from the operations, and the sync client of Python. */
await writeGeneratedFiles(join(import.meta.dirname, '../..'));
