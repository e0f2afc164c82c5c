import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { purgeRows } from '../../base/database/queries.ts';

const KEPT_DAYS = 365;

/** Longest subject that is kept. */
const SUBJECT_LENGTH_MAX = 200;

interface AuditEvent {
  readonly accountId: string;
  readonly userId: string | null;
  /** `sign-in`, or a call of the dashboard, such as `keys.create`. */
  readonly action: string;
  /** Object of the action; never a secret. */
  readonly subject?: string | undefined;
  /** IP address of the request. */
  readonly address?: string | null | undefined;
}

interface AuditEventQuery {
  readonly accountId: string;
  /** Person whose actions are listed; everybody's when absent. */
  readonly userId?: string | undefined;
  /** Id that the page comes after. */
  readonly after?: bigint | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

/**
 * Lists what an account's people did, newest first, with the name of each.
 * @returns `next`, the id that the following page comes after; null after the last one
 */
export async function listAuditEvents(db: Executor, { accountId, userId, after, limit }: AuditEventQuery) {
  const { auditEvents, users } = schema;
  const { id, action, subject, address, createdAt } = auditEvents;
  const rows = await db
    .select({ id, action, subject, address, createdAt, person: users.name })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.userId))
    .where(
      and(
        eq(auditEvents.accountId, accountId),
        userId === undefined ? undefined : eq(auditEvents.userId, userId),
        after === undefined ? undefined : lt(id, after),
      ),
    )
    .orderBy(sql`${id} desc nulls last`)
    .limit(limit + 1);
  const events = rows.slice(0, limit);
  return { events, next: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
}

/** Lists who has acted in an account, by name. People who are gone are not among them. */
export function listAuditActors(db: Executor, accountId: string) {
  const { auditEvents, users } = schema;
  const acted = db
    .selectDistinct({ userId: auditEvents.userId })
    .from(auditEvents)
    .where(eq(auditEvents.accountId, accountId));
  return db
    .select({ userId: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, acted))
    .orderBy(users.name, users.id);
}

/** Appends to the log of what an account's people did. */
export async function recordAuditEvent(
  db: Executor,
  { subject, address, ...event }: AuditEvent,
): Promise<void> {
  await db.insert(schema.auditEvents).values({
    ...event,
    subject: subject?.slice(0, SUBJECT_LENGTH_MAX) ?? null,
    address: address ?? null,
  });
}

/**
 * Deletes what people did over a year ago.
 * @returns how many entries
 */
export async function purgeAuditEvents({ db }: Pick<Context, 'db'>): Promise<number> {
  const { auditEvents } = schema;
  const isDue = sql`${auditEvents.createdAt} < now() - ${KEPT_DAYS} * interval '1 day'`;
  return await purgeRows(db, auditEvents, isDue);
}
