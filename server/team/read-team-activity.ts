import { eq, sql } from 'drizzle-orm';
import { type Executor, schema } from '../base/database/db.ts';

/** Returns a text that changes with the members of an account, their roles and its open invitations. */
export async function readTeamActivity(db: Executor, accountId: string): Promise<string> {
  const { invitations, memberships } = schema;
  const [members, invited] = await Promise.all([
    db
      .select({
        text: sql<string>`string_agg(${memberships.userId} || ' ' || ${memberships.role}, ',' order by ${memberships.userId})`,
      })
      .from(memberships)
      .where(eq(memberships.accountId, accountId)),
    db
      .select({
        text: sql<string>`string_agg(${invitations.id} || ' ' || ${invitations.role}, ',' order by ${invitations.id})`,
      })
      .from(invitations)
      .where(eq(invitations.accountId, accountId)),
  ]);
  return [members, invited].map(([row]) => row?.text ?? '').join(' | ');
}
