import type { Env } from '../env.ts';

/** What a job needs stays until it has ended; this only bounds what a lost job could leave behind. */
const UNFINISHED_DAYS_MAX = 30;
const HOUR_MS = 3_600_000;

/** When a file goes that a job needs until it has ended. */
export function unfinishedExpiry(): Date {
  return new Date(Date.now() + UNFINISHED_DAYS_MAX * 24 * HOUR_MS);
}

/** When results go whose job ends now. */
export function resultExpiry({ RESULT_TTL_HOURS }: Env): Date {
  return new Date(Date.now() + RESULT_TTL_HOURS * HOUR_MS);
}
