import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** Incidents of the service, which its operator writes down for the status page. */
export const incidents = pgTable(
  'incidents',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    title: text('title').notNull(),
    startedAt: moment('started_at').notNull().default(sql`now()`),
    /** null while it lasts. */
    endedAt: moment('ended_at'),
  },
  (t) => [index('incidents_started').on(t.startedAt.desc())],
);
