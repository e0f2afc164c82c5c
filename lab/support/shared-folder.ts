import { join, resolve } from 'node:path';

/** Folder of published data that the repository does not hold. */
export const SHARED = resolve(process.env.DARKROOM_SHARED ?? join(import.meta.dirname, '../../../shared'));
