import { type Executor, schema } from '../../base/database/db.ts';

/** Longest subject that is kept. */
const SUBJECT_LENGTH_MAX = 200;

export interface AuditEvent {
  readonly accountId: string;
  readonly userId: string | null;
  /** `sign-in`, or a call of the dashboard, such as `keys.create`. */
  readonly action: string;
  /** Object of the action; never a secret. */
  readonly subject?: string | undefined;
  /** IP address of the request. */
  readonly address?: string | null | undefined;
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
