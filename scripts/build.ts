import { resolve } from 'node:path';
import { buildService } from '../server/build/build.ts';

/** `npm run build`: `npm start` does the same when a source has changed. */
await buildService(resolve(import.meta.dirname, '..'));
