import { type SQL, sql } from 'drizzle-orm';

/** Hours for which the first response to an Idempotency-Key is replayed. */
export const IDEMPOTENCY_HOURS = 24;

/**
 * Reports whether an ISO date or time lies in 1970 or later. Years before are out of the database's range, or of no
 * use.
 */
export const isRecent = (text: string) => text >= '1970';

export const SINCE = 'must not be before 1970';

/** Returns the calendar month (UTC) of a moment, such as `2026-11`; to the millisecond, as moments are stored. */
export function calendarMonth(moment: SQL): SQL {
  return sql`to_char(${moment}::timestamptz(3) at time zone 'UTC', 'YYYY-MM')`;
}
