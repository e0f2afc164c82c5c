import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { type Db, type Executor, schema, type Tx } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import type { Env } from '../../base/env.ts';
import { ROLE_NAMES, type Role } from '../../base/permissions.ts';
import { type Mail, sendMail } from '../../io/mail.ts';
import { findSandbox, openAccount, recordAuditEvent } from '../accounts/index.ts';
import { countKeysOf, revokeKeysOf } from '../keys/index.ts';
import { findAccountName } from './accounts.ts';
import type { TeamActor } from './team-actor.ts';
import { lockMembers, lockToChange } from './team-actor.ts';

interface RemovalText {
  readonly to: string;
  /** Address of the remover. */
  readonly remover: string;
  readonly account: string;
}

const { accounts, invitations, memberships, sessions, users } = schema;

const LAST_OWNER =
  'This account has no other owner. Make another member an owner first, or delete the account.';

const ofMember = (accountId: string, userId: string) =>
  and(eq(memberships.accountId, accountId), eq(memberships.userId, userId));

/** Lists the members of an account, earliest first, with the number of keys that each has made and that are not revoked. */
export function listMembers(db: Executor, accountId: string) {
  const { role, createdAt } = memberships;
  const keys = sql<number>`(select count(*)::int from api_keys k join accounts a on a.id = k.account_id
    where k.created_by = ${users.id} and k.revoked_at is null and ${accountId}::uuid in (a.id, a.sandbox_of))`;
  return db
    .select({ userId: users.id, name: users.name, email: users.email, role, createdAt, keys })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(asc(createdAt), asc(users.id));
}

/**
 * Changes the role of a member, from the member's next request on. Only owners keep open invitations.
 * @throws OperationError `not_found` for no member, `conflict` for the last owner
 */
export async function changeRole(db: Db, actor: TeamActor, userId: string, role: Role): Promise<void> {
  const { accountId } = actor;
  await db.transaction(async (tx) => {
    await lockToChange(tx, actor);
    const member = await findMember(tx, accountId, userId);
    if (role !== 'owner') await assertNotLastOwner(tx, accountId, member);
    if (role !== 'owner') {
      await createPersonalAccount(tx, accountId, userId);
      await endInvitations(tx, accountId, userId);
    }
    await tx.update(memberships).set({ role }).where(ofMember(accountId, userId));
    const subject = `${member.email}: ${ROLE_NAMES[role]}`;
    await recordAuditEvent(tx, { ...actor, action: 'team.changeRole', subject });
  });
}

/**
 * Removes a member, and ends the sessions in which the member sees the account, and the member's open invitations. The
 * member is told by mail. The keys that the member has made go on working, or are revoked.
 * @param keys what becomes of them; to be given where there are any that are not revoked
 * @throws OperationError `not_found` for no member, `conflict` for the last owner, `bad_request` without a choice about
 *   keys
 */
export async function removeMember(
  ctx: Pick<Context, 'db' | 'env' | 'log'>,
  actor: TeamActor,
  userId: string,
  keys?: 'revoke' | 'keep',
): Promise<void> {
  const { accountId } = actor;
  const text = await ctx.db.transaction(async (tx) => {
    await lockToChange(tx, actor);
    const account = await findAccountName(tx, accountId);
    const { email: remover } = await findMember(tx, accountId, actor.userId);
    const { email: to } = await endMembership(tx, accountId, userId);
    await settleKeys(tx, accountId, userId, keys);
    await tx.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.accountId, accountId)));
    await recordAuditEvent(tx, { ...actor, action: 'team.remove', subject: to });
    return { to, remover, account };
  });
  sendMail(ctx, removalMail(ctx.env, text));
}

/** Revokes the keys that a person has made in an account and its sandbox, or keeps them. */
async function settleKeys(
  tx: Tx,
  accountId: string,
  userId: string,
  choice: 'revoke' | 'keep' | undefined,
): Promise<void> {
  const sandboxId = await findSandbox(tx, accountId);
  const owned = [accountId, ...(sandboxId === undefined ? [] : [sandboxId])];
  if (choice === 'revoke') return await revokeKeysOf(tx, owned, userId);
  const count = choice === 'keep' ? 0 : await countKeysOf(tx, owned, userId);
  if (count === 0) return;
  throw fieldError('keys', `must be revoke or keep: the member has made ${count} of the keys that work.`);
}

/**
 * Lets a person leave an account, and ends the person's open invitations. Browsers that show it show the person's own
 * account from then on.
 * @throws OperationError `conflict` for the last owner
 */
export async function leaveTeam(db: Db, actor: TeamActor): Promise<void> {
  const { accountId, userId } = actor;
  await db.transaction(async (tx) => {
    await lockMembers(tx, accountId);
    const { email } = await endMembership(tx, accountId, userId);
    const isShown = and(eq(sessions.userId, userId), eq(sessions.accountId, accountId));
    await tx.update(sessions).set({ accountId: null }).where(isShown);
    await recordAuditEvent(tx, { ...actor, action: 'team.leave', subject: email });
  });
}

interface Member {
  readonly email: string;
  readonly role: Role;
}

async function endMembership(tx: Tx, accountId: string, userId: string): Promise<Member> {
  const member = await findMember(tx, accountId, userId);
  await assertNotLastOwner(tx, accountId, member);
  await createPersonalAccount(tx, accountId, userId);
  await endInvitations(tx, accountId, userId);
  await tx.delete(memberships).where(ofMember(accountId, userId));
  return member;
}

/** Ends the open invitations of a member who may invite no more: they would outlast the right to send them. */
async function endInvitations(tx: Tx, accountId: string, userId: string): Promise<void> {
  await tx
    .delete(invitations)
    .where(and(eq(invitations.accountId, accountId), eq(invitations.invitedBy, userId)));
}

async function findMember(tx: Tx, accountId: string, userId: string): Promise<Member> {
  const [member] = await tx
    .select({ email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(ofMember(accountId, userId));
  if (!member) throw new OperationError('not_found', 'userId: is no member of this account.');
  return member;
}

async function assertNotLastOwner(tx: Tx, accountId: string, { role }: Member): Promise<void> {
  if (role !== 'owner') return;
  const isOwner = and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'));
  if ((await tx.$count(memberships, isOwner)) < 2) throw new OperationError('conflict', LAST_OWNER);
}

/**
 * Opens an empty account for a person who gives up the one that was opened for them, so that everybody owns an account.
 * The former account loses the person's address: its holder must not come back by it. Does nothing for anyone
 * else.
 */
export async function createPersonalAccount(tx: Tx, accountId: string, userId: string): Promise<void> {
  const [person] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.accountId, accountId)));
  if (!person) return;
  const isUndecided = and(eq(sessions.userId, userId), isNull(sessions.accountId));
  await tx.update(sessions).set({ accountId }).where(isUndecided);
  await tx
    .update(accounts)
    .set({ email: `changed-${accountId}` })
    .where(eq(accounts.id, accountId));
  const { accountId: other } = await openAccount(tx, person.email);
  await tx.update(users).set({ accountId: other }).where(eq(users.id, userId));
}

/** Tells a person who was removed from an account what has happened, and what is left. */
function removalMail({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, { to, remover, account }: RemovalText): Mail {
  return {
    to,
    subject: 'You were removed from an account at Darkroom',
    text: `${remover} has removed you from the account ${account} at Darkroom. Browsers that showed it are signed out. Sign in to see the accounts that you still belong to:

${PUBLIC_URL}/dashboard`,
  };
}

/** Returns a text that changes with the members of an account, their roles and its open invitations. */
export async function readTeamActivity(db: Executor, accountId: string): Promise<string> {
  const [found] = await db.execute<{ team: string }>(
    readOnly(sql`select concat_ws(' | ',
    (select string_agg(concat_ws(' ', user_id, role), ',' order by user_id)
      from ${memberships} where account_id = ${accountId}::uuid),
    (select string_agg(concat_ws(' ', id, role), ',' order by id)
      from ${invitations} where account_id = ${accountId}::uuid)) as team`),
  );
  return found?.team ?? '';
}
