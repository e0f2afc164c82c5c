import { lt, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';

/** Deletes sessions, links and challenges that have expired: anybody can have challenges made. */
export async function purgeSessions({ db }: Pick<Context, 'db'>): Promise<void> {
  const { sessions, verifications } = schema;
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`));
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}
