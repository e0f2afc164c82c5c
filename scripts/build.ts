import { resolve } from 'node:path';
import { buildService } from '../server/ops/build/build.ts';

/**
 * `npm run build`: `npm start` does the same when a source has changed, but for the check of types, which is no matter
 * of whoever only runs the service (`--without-types`). `--without-cache` is for a folder that is built once.
 */
await buildService(resolve(import.meta.dirname, '..'), {
  checksTypes: !process.argv.includes('--without-types'),
  keepsCache: !process.argv.includes('--without-cache'),
});
