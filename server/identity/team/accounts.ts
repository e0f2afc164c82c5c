import { and, asc, eq, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import type { Role } from '../../base/permissions.ts';
import { recordAuditEvent } from '../accounts/index.ts';
import type { TeamActor } from './team-actor.ts';

const { accounts, memberships, sessions, users } = schema;

/** Name of an account: its address or, once that has gone with its person, its first owner's. */
const accountName = sql<string>`case when accounts.email like '%@%' then accounts.email else concat('Team of ', (
  select person.email from memberships owned join users person on person.id = owned.user_id
  where owned.account_id = accounts.id and owned.role = 'owner' order by owned.created_at limit 1)) end`;

/** Account that a person belongs to. */
export interface JoinedAccount {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
}

/** Lists the accounts that a person belongs to, the person's own first. */
export async function listAccounts(db: Executor, userId: string): Promise<JoinedAccount[]> {
  return await db
    .select({ accountId: accounts.id, name: accountName, role: memberships.role })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.userId, userId))
    .orderBy(sql`${users.accountId} = ${accounts.id} desc`, asc(memberships.createdAt));
}

/** Returns the name of an account. */
export async function findAccountName(db: Executor, accountId: string): Promise<string> {
  const [found] = await db.select({ name: accountName }).from(accounts).where(eq(accounts.id, accountId));
  if (!found) throw new Error(`there is no account ${accountId}`);
  return found.name;
}

/**
 * Returns the account that a session shows, with the person's role: the chosen one while the person belongs to it, and
 * the person's own otherwise. undefined for an unknown session.
 */
export async function findSessionAccount(
  db: Executor,
  sessionId: string,
): Promise<{ accountId: string; role: Role } | undefined> {
  const [found] = await db
    .select({ accountId: memberships.accountId, role: memberships.role })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(sessions.id, sessionId))
    .orderBy(
      sql`coalesce(${memberships.accountId} = ${sessions.accountId}, false) desc`,
      sql`${memberships.accountId} = ${users.accountId} desc`,
    )
    .limit(1);
  return found;
}

/**
 * Lets a new session show the account that the person has chosen last, in whichever browser.
 * @returns that account; undefined for an unknown session
 */
export async function chooseLastAccount(db: Executor, sessionId: string): Promise<string | undefined> {
  const last = sql<string>`(select member.account_id from memberships member
    where member.user_id = ${sessions.userId} order by member.chosen_at desc nulls last,
      member.account_id = (select account_id from users where id = ${sessions.userId}) desc limit 1)`;
  const [chosen] = await db
    .update(sessions)
    .set({ accountId: last })
    .where(eq(sessions.id, sessionId))
    .returning({ accountId: sessions.accountId });
  return chosen?.accountId ?? undefined;
}

/**
 * Shows another account of a person in a session.
 * @param actor.accountId the account to show
 * @throws OperationError `not_found` for one that the person does not belong to
 */
export async function switchAccount(db: Db, actor: TeamActor, sessionId: string): Promise<void> {
  const { accountId, userId } = actor;
  await db.transaction(async (tx) => {
    const isMember = and(eq(memberships.accountId, accountId), eq(memberships.userId, userId));
    const [member] = await tx
      .update(memberships)
      .set({ chosenAt: sql`now()` })
      .where(isMember)
      .returning({ accountId: memberships.accountId });
    if (!member) throw new OperationError('not_found', 'accountId: is no account of yours.');
    const isOwn = and(eq(sessions.id, sessionId), eq(sessions.userId, userId));
    await tx.update(sessions).set({ accountId }).where(isOwn);
    await recordAuditEvent(tx, { ...actor, action: 'team.switch' });
  });
}
