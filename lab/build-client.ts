import { join } from 'node:path';
import { buildTypeScriptClient } from '../server/ops/build/build-typescript-client.ts';
import { writeGeneratedFiles } from './generate/generate-files.ts';

const ROOT = join(import.meta.dirname, '..');

/** `npm run build-client`: writes the JavaScript and the types of the TypeScript client to its folder `dist`. */
await writeGeneratedFiles(ROOT);
await buildTypeScriptClient(ROOT);
