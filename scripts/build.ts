import { resolve } from 'node:path';
import { writeGeneratedFiles } from '../lab/generate/generate-files.ts';
import { buildService } from '../server/ops/build/build.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * `npm run build`: `npm start` does the same when a source has changed, but for the check of types, which is no matter
 * of hosts that only run the service (`--without-types`). `--without-cache` is for a folder that is built once, and
 * `--without-generate` for one whose files `npm run generate` has just written.
 */
if (!process.argv.includes('--without-generate')) await writeGeneratedFiles(ROOT);
await buildService(ROOT, {
  checksTypes: !process.argv.includes('--without-types'),
  keepsCache: !process.argv.includes('--without-cache'),
});
