import { and, asc, eq, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import { calendarMonth } from '../../base/periods.ts';

/** Key as its owner sees it: without the secret, which is not stored. */
export type KeySummary = Awaited<ReturnType<typeof listKeys>>[number];

/** Lists the keys of an account, oldest first; revoked and expired ones are among them. */
export async function listKeys(db: Executor, accountId: string) {
  const { apiKeys, keySpending, users, memberships, accounts } = schema;
  const isThisMonth = and(
    eq(keySpending.keyId, apiKeys.id),
    eq(keySpending.month, calendarMonth(sql`now()`)),
  );
  const isMember = and(
    eq(memberships.userId, apiKeys.createdBy),
    eq(memberships.accountId, sql`coalesce(${accounts.sandboxOf}, ${accounts.id})`),
  );
  const rows = await db
    .select({
      keyId: apiKeys.id,
      prefix: apiKeys.prefix,
      name: apiKeys.name,
      operations: apiKeys.operations,
      permissions: apiKeys.permissions,
      monthlyCap: apiKeys.monthlyCap,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
      spent: keySpending.spent,
      createdBy: users.name,
      membership: memberships.userId,
    })
    .from(apiKeys)
    .leftJoin(keySpending, isThisMonth)
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(memberships, isMember)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
  return rows.map(({ membership, ...row }) => ({
    ...row,
    /** Spent or held in this calendar month (UTC). */
    spent: row.spent ?? 0n,
    /** Whether the person who made it belongs to the account no more. */
    isOfFormerMember: row.createdBy !== null && membership === null,
  }));
}
