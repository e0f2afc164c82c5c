import type { Db } from '../../../base/database/db.ts';
import { type Attempt, listFencedAttempts } from '../../index.ts';

/** Attempts of this runner, each with a signal that tells when its result has become worthless. */
export interface AttemptFences {
  /** Watches an attempt until `end` is called. */
  watch(attempt: Attempt): { readonly signal: AbortSignal; end(): void };
  /**
   * Aborts the attempts whose job has ended or has been claimed again.
   * @returns their jobs
   */
  check(db: Db): Promise<string[]>;
}

interface Watched extends Attempt {
  readonly fenced: AbortController;
}

export function createAttemptFences(): AttemptFences {
  const watched = new Set<Watched>();
  return {
    watch({ id, attempt }) {
      const entry: Watched = { id, attempt, fenced: new AbortController() };
      watched.add(entry);
      return { signal: entry.fenced.signal, end: () => void watched.delete(entry) };
    },
    async check(db) {
      const running = [...watched].filter(({ fenced }) => !fenced.signal.aborted);
      // One that has ended by itself has nothing left to abort.
      const late = (await listFencedAttempts(db, running)).filter((entry) => watched.has(entry));
      for (const { fenced } of late)
        fenced.abort(new Error('fenced by a later attempt or the end of its job'));
      return late.map(({ id }) => id);
    },
  };
}
