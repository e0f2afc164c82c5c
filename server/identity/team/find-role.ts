import { and, eq } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Role } from '../../base/permissions.ts';

/** Returns the role of a person in an account; null for no member. */
export async function findRole(db: Executor, accountId: string, userId: string): Promise<Role | null> {
  const { memberships } = schema;
  const [found] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)));
  return found?.role ?? null;
}
