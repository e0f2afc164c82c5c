import type { Db } from '../../../base/database/db.ts';
import { type Attempt, uncountAttempt } from '../../index.ts';

/**
 * Attempts of this runner that an outage or an orderly stop ended, and that the database could not yet be told not to
 * count.
 */
export interface UncountedAttempts {
  /** Notes an attempt for a later flush. */
  add(attempt: Attempt): void;
  /** Writes what is noted. Concurrent calls share the work. @throws when the database cannot be reached */
  flush(db: Db): Promise<void>;
}

export function createUncountedAttempts(): UncountedAttempts {
  const noted = new Set<Attempt>();
  let flushing: Promise<void> | undefined;
  const write = async (db: Db): Promise<void> => {
    for (const attempt of noted) {
      await uncountAttempt(db, attempt);
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
