import type { Db } from '../../base/database/db.ts';
import { type Attempt, listFencedAttempts, uncountAttempt } from '../index.ts';

interface Watched extends Attempt {
  readonly fenced: AbortController;
}

export type AttemptFences = ReturnType<typeof createAttemptFences>;

/** Holds the attempts of this runner, each with a signal that tells when its result has become worthless. */
export function createAttemptFences() {
  const watched = new Set<Watched>();
  return {
    /** Watches an attempt until `end` is called. */
    watch({ id, attempt }: Attempt) {
      const entry: Watched = { id, attempt, fenced: new AbortController() };
      watched.add(entry);
      return { signal: entry.fenced.signal, end: () => void watched.delete(entry) };
    },
    /**
     * Aborts the attempts whose job has ended or has been claimed again.
     * @returns their jobs
     */
    async check(db: Db) {
      const running = [...watched].filter(({ fenced }) => !fenced.signal.aborted);
      // One that has ended by itself has nothing left to abort.
      const late = (await listFencedAttempts(db, running)).filter((entry) => watched.has(entry));
      for (const { fenced } of late)
        fenced.abort(new Error('fenced by a later attempt or the end of its job'));
      return late.map(({ id }) => id);
    },
  };
}

export type UncountedAttempts = ReturnType<typeof createUncountedAttempts>;

/**
 * Holds the attempts of this runner that an outage or an orderly stop ended, and that the database could not yet be told
 * not to count.
 */
export function createUncountedAttempts() {
  const noted = new Set<Attempt>();
  let flushing: Promise<void> | undefined;
  const write = async (db: Db): Promise<void> => {
    for (const attempt of noted) {
      await uncountAttempt(db, attempt);
      noted.delete(attempt);
    }
  };
  return {
    /** Notes an attempt for a later flush. */
    add: (attempt: Attempt) => void noted.add(attempt),
    /** Writes what is noted. Concurrent calls share the work. @throws when the database cannot be reached */
    flush(db: Db) {
      flushing ??= write(db).finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
  };
}
