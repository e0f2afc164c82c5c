import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED } from '../../../lab/support/shared-folder.ts';

/** A file or folder of the data next to the repository. Each test of it has a twin that needs none. */
export interface SharedData {
  readonly path: string;
  readonly isMissing: boolean;
  /** Returns the title of a test with what it needs. */
  readonly titled: (title: string) => string;
}

/** Looks up a path in the folder that DARKROOM_SHARED names. */
export function sharedData(path: string): SharedData {
  const isMissing = !existsSync(join(SHARED, path));
  const need = `needs ${path} of DARKROOM_SHARED${isMissing ? ', not found' : ''}`;
  return { path: join(SHARED, path), isMissing, titled: (title) => `${title} (${need})` };
}
