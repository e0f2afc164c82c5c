import type { Db } from '../../../base/database/db.ts';
import { type Attempt, excuseAttempt } from '../../index.ts';

/** Attempts of this runner that ended by an outage or an orderly stop, and that the database must not count. */
export interface Excuses {
  /** Notes an attempt. The database may be away: a later flush writes what this one cannot. */
  add(attempt: Attempt): void;
  /** Writes what is noted. Concurrent calls share the work. @throws when the database cannot be reached */
  flush(db: Db): Promise<void>;
}

export function createExcuses(): Excuses {
  const noted = new Set<Attempt>();
  let flushing: Promise<void> | undefined;
  const write = async (db: Db): Promise<void> => {
    for (const attempt of noted) {
      await excuseAttempt(db, attempt);
      noted.delete(attempt);
    }
  };
  return {
    add: (attempt) => void noted.add(attempt),
    flush(db) {
      flushing ??= write(db).finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
  };
}
