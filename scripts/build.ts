import { resolve } from 'node:path';
import { build } from '../server/build.ts';

/** `npm run build`: `npm start` does the same when a source has changed. */
await build(resolve(import.meta.dirname, '..'));
