import type { Db } from './db.ts';
import type { Env } from './env.ts';
import type { Logger } from './log.ts';
import type { Storage } from './storage/index.ts';

/** What every verb of the server works with. Made once per process, passed along, never global. */
export interface Context {
  readonly env: Env;
  readonly db: Db;
  readonly storage: Storage;
  readonly log: Logger;
  /** Aborted when this process has been asked to stop: whoever waits then answers with what there is. */
  readonly stopping?: AbortSignal;
}
