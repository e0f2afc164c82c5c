import type { Env } from '../../base/env.ts';

/** A job's files stay until it has ended; this only bounds what a lost job could leave behind. */
const UNFINISHED_DAYS_MAX = 30;
const HOUR_MS = 3_600_000;

/** Returns the expiry of files that a job needs until it ends. */
export function pendingExpiry(): Date {
  return new Date(Date.now() + UNFINISHED_DAYS_MAX * 24 * HOUR_MS);
}

/** Returns the expiry of results of a job that ends now. */
export function resultExpiry({ RESULT_TTL_HOURS }: Env): Date {
  return new Date(Date.now() + RESULT_TTL_HOURS * HOUR_MS);
}
