import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(process.env.DARKROOM_SHARED ?? '../shared');

/** A file or folder of the data beside the repository. Each test of it has a twin that needs none. */
export interface SharedData {
  readonly path: string;
  readonly isMissing: boolean;
  /** Returns the title of a test with what it needs. */
  readonly titled: (title: string) => string;
}

/** Looks up a path in the folder that DARKROOM_SHARED names. */
export function sharedData(path: string): SharedData {
  const isMissing = !existsSync(join(FOLDER, path));
  const need = `needs ${path} of DARKROOM_SHARED${isMissing ? ', not found' : ''}`;
  return { path: join(FOLDER, path), isMissing, titled: (title) => `${title} (${need})` };
}
