import { and, eq, lt, sql } from 'drizzle-orm';
import { type Executor, schema } from '../base/db.ts';

interface AuditEventQuery {
  readonly accountId: string;
  /** Id that the page comes after. */
  readonly after?: bigint | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

/**
 * Lists what an account's people did, newest first, with the name of each.
 * @returns `next`, the id that the following page comes after; null after the last one
 */
export async function listAuditEvents(db: Executor, { accountId, after, limit }: AuditEventQuery) {
  const { auditEvents, users } = schema;
  const { id, action, subject, address, createdAt } = auditEvents;
  const rows = await db
    .select({ id, action, subject, address, createdAt, person: users.name })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.userId))
    .where(and(eq(auditEvents.accountId, accountId), after === undefined ? undefined : lt(id, after)))
    .orderBy(sql`${id} desc nulls last`)
    .limit(limit + 1);
  const events = rows.slice(0, limit);
  return { events, next: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
}
