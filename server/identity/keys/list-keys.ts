import { and, asc, eq, sql } from 'drizzle-orm';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { calendarMonth } from '../../base/periods.ts';

/** Key as its owner sees it: without the secret, which is not stored. */
export interface KeySummary {
  readonly keyId: string;
  /** The part that may be shown for life. */
  readonly prefix: string;
  readonly name: string;
  /** null: every operation. */
  readonly operations: readonly string[] | null;
  /** null: what any key may do. */
  readonly permissions: readonly string[] | null;
  /** null: unlimited. */
  readonly monthlyCap: MicroUsd | null;
  /** Spent or held in this calendar month (UTC). */
  readonly spent: MicroUsd;
  /** Name of the person who made it; null where that is unknown, as of a command. */
  readonly createdBy: string | null;
  /** Whether that person belongs to the account no more. */
  readonly isOfFormerMember: boolean;
  readonly createdAt: Date;
  /** null: never. */
  readonly expiresAt: Date | null;
  /** null: not revoked. */
  readonly revokedAt: Date | null;
  /** To about a minute; null: never. */
  readonly lastUsedAt: Date | null;
}

/** Lists the keys of an account, oldest first; revoked and expired ones are among them. */
export async function listKeys(db: Executor, accountId: string): Promise<KeySummary[]> {
  const { apiKeys, keySpending, users, memberships, accounts } = schema;
  const {
    id,
    prefix,
    name,
    operations,
    permissions,
    monthlyCap,
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
  } = apiKeys;
  const isThisMonth = and(eq(keySpending.keyId, id), eq(keySpending.month, calendarMonth(sql`now()`)));
  const isMember = and(
    eq(memberships.userId, apiKeys.createdBy),
    eq(memberships.accountId, sql`coalesce(${accounts.sandboxOf}, ${accounts.id})`),
  );
  const rows = await db
    .select({
      keyId: id,
      prefix,
      name,
      operations,
      permissions,
      monthlyCap,
      createdAt,
      expiresAt,
      revokedAt,
      lastUsedAt,
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
    .orderBy(asc(createdAt), asc(id));
  return rows.map(({ membership, ...row }) => ({
    ...row,
    spent: row.spent ?? 0n,
    isOfFormerMember: row.createdBy !== null && membership === null,
  }));
}
