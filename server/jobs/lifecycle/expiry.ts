import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../base/env.ts';

/** A job's files stay until it has ended; this only bounds what a lost job could leave behind. */
const UNFINISHED_DAYS_MAX = 30;

/** Returns the expiry of files that a job needs until it ends, by the database's clock. */
export function pendingExpiry(): SQL {
  return sql`now() + ${UNFINISHED_DAYS_MAX}::int * interval '1 day'`;
}

/**
 * Returns the expiry of results of a job that ends now, by the database's clock.
 * @param hours that its request asks for
 */
export function resultExpiry({ RESULT_TTL_HOURS }: Env, hours = RESULT_TTL_HOURS): SQL {
  return sql`now() + ${hours}::float8 * interval '1 hour'`;
}
