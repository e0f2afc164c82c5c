import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import { type Executor, schema } from '../../base/database/db.ts';

const { incidents } = schema;
const TITLE_CHARACTERS_MAX = 300;

/** Incident that an operator has written down. */
export type Incident = typeof incidents.$inferSelect;

/**
 * Opens an incident now.
 * @param title 1 to 300 characters, for the status page
 * @throws OperationError `bad_request` for another title
 */
export async function openIncident(db: Executor, title: string): Promise<Incident> {
  const text = title.trim();
  assertStorable({ title: text });
  if (text.length < 1 || text.length > TITLE_CHARACTERS_MAX) {
    throw new OperationError('bad_request', `title: must be 1 to ${TITLE_CHARACTERS_MAX} characters long.`);
  }
  const [made] = await db.insert(incidents).values({ title: text }).returning();
  if (!made) throw new Error('the new incident was not returned');
  return made;
}

/**
 * Ends an incident now.
 * @throws OperationError `not_found` when no incident of that id lasts
 */
export async function endIncident(db: Executor, id: number): Promise<Incident> {
  const [ended] = await db
    .update(incidents)
    .set({ endedAt: sql`now()` })
    .where(and(eq(incidents.id, id), isNull(incidents.endedAt)))
    .returning();
  if (!ended) throw new OperationError('not_found', `id: no incident ${id} lasts.`);
  return ended;
}

/** Lists the latest incidents, newest first. */
export async function listIncidents(db: Executor, limit = 20): Promise<Incident[]> {
  return await db
    .select()
    .from(incidents)
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(limit);
}
