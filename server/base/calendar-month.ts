import { type SQL, sql } from 'drizzle-orm';

/** Returns the calendar month (UTC) of a moment, such as `2026-11`; to the millisecond, as moments are stored. */
export function calendarMonth(moment: SQL): SQL {
  return sql`to_char(${moment}::timestamptz(3) at time zone 'UTC', 'YYYY-MM')`;
}
