import { createHash, randomBytes } from 'node:crypto';
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import type { Env } from '../../base/env.ts';
import { ROLE_NAMES, type Role } from '../../base/permissions.ts';
import { findMailTransport, type Mail, sendMail } from '../../io/mail.ts';
import { recordAuditEvent } from '../accounts/index.ts';
import { findAccountName } from './accounts.ts';
import { lockMembers, lockToChange, type TeamActor } from './team-actor.ts';

/** Days for which the link of an invitation works. */
export const INVITATION_DAYS = 7;

interface InvitationText {
  readonly to: string;
  /** Address of the inviter: a name could hold the text of a sender of junk. */
  readonly inviter: string;
  readonly account: string;
  readonly role: Role;
  readonly token: string;
}

const { invitations, memberships, users } = schema;

/** Days after which an expired invitation is no longer listed. */
const LISTED_DAYS = 30;

/** Most members and invitations of an account. */
const PEOPLE_MAX = 100;

const TOKEN_BYTES = 32;

type TeamContext = Pick<Context, 'db' | 'env' | 'log'>;

const hashToken = (token: string) => createHash('sha256').update(token).digest();

const expiry = sql`now() + ${INVITATION_DAYS} * interval '1 day'`;

/** Lists the open and expired invitations of an account, earliest first. */
export function listInvitations(db: Executor, accountId: string) {
  const { id, email, role, createdAt, expiresAt } = invitations;
  const isExpired = sql<boolean>`${expiresAt} <= now()`;
  return db
    .select({ id, email, role, createdAt, expiresAt, isExpired })
    .from(invitations)
    .where(eq(invitations.accountId, accountId))
    .orderBy(asc(createdAt), asc(id));
}

/**
 * Invites an address into an account. An earlier invitation of the address is replaced.
 * @param invitation.email in any case
 * @throws OperationError `conflict` for a member, for too many people, and where no mail can be sent
 */
export async function invite(
  ctx: TeamContext,
  actor: TeamActor,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<void> {
  assertMailWorks(ctx);
  const { accountId, userId } = actor;
  const address = email.trim().toLowerCase();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await ctx.db.transaction(async (tx) => {
    await lockToChange(tx, actor);
    await assertRoom(tx, accountId, address);
    const offer = { role, tokenSha256: hashToken(token), invitedBy: userId, expiresAt: expiry };
    await tx
      .insert(invitations)
      .values({ accountId, email: address, ...offer })
      .onConflictDoUpdate({ target: [invitations.accountId, invitations.email], set: offer });
    const subject = `${address}: ${ROLE_NAMES[role]}`;
    await recordAuditEvent(tx, { ...actor, action: 'team.invite', subject });
  });
  await mailInvitation(ctx, actor, { to: address, role, token });
}

/**
 * Sends an invitation again, with a new link: the former one ends.
 * @throws OperationError `not_found`, and `conflict` where no mail can be sent
 */
export async function resendInvitation(ctx: TeamContext, actor: TeamActor, id: string): Promise<void> {
  assertMailWorks(ctx);
  const { accountId } = actor;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { email: to, role } = await ctx.db.transaction(async (tx) => {
    await lockToChange(tx, actor);
    const [renewed] = await tx
      .update(invitations)
      .set({ tokenSha256: hashToken(token), expiresAt: expiry })
      .where(and(eq(invitations.id, id), eq(invitations.accountId, accountId)))
      .returning();
    if (!renewed) throw unknownInvitation();
    await recordAuditEvent(tx, { ...actor, action: 'team.resend', subject: renewed.email });
    return renewed;
  });
  await mailInvitation(ctx, actor, { to, role, token });
}

/**
 * Ends an invitation: its link works no more.
 * @throws OperationError `not_found`
 */
export async function revokeInvitation({ db }: TeamContext, actor: TeamActor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockToChange(tx, actor);
    const isOwn = and(eq(invitations.id, id), eq(invitations.accountId, actor.accountId));
    const [gone] = await tx.delete(invitations).where(isOwn).returning({ email: invitations.email });
    if (!gone) throw unknownInvitation();
    await recordAuditEvent(tx, { ...actor, action: 'team.revoke', subject: gone.email });
  });
}

/** Returns the address that an invitation of an account goes to; undefined for an unknown one. */
export async function findInvitedAddress(
  db: Executor,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const isOwn = and(eq(invitations.id, id), eq(invitations.accountId, accountId));
  const [found] = await db.select({ email: invitations.email }).from(invitations).where(isOwn);
  return found?.email;
}

/** Deletes invitations that expired long ago. */
export async function purgeInvitations({ db }: Pick<Context, 'db'>): Promise<void> {
  const end = sql`now() - ${LISTED_DAYS} * interval '1 day'`;
  await db.delete(invitations).where(lt(invitations.expiresAt, end));
}

/** Invitation whose link works. */
export interface OpenInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Finds the invitation of a link; undefined for one that was used, revoked or replaced, that has expired, or never was.
 */
export async function findInvitation(db: Executor, token: string): Promise<OpenInvitation | undefined> {
  const { id, accountId, email, role } = invitations;
  const isOpen = and(eq(invitations.tokenSha256, hashToken(token)), gt(invitations.expiresAt, sql`now()`));
  const [found] = await db.select({ id, accountId, email, role }).from(invitations).where(isOpen);
  return found;
}

/** Returns the error of a link that does not work, whatever the reason: none of them is a stranger's to know. */
export function invalidInvitation(): OperationError {
  return new OperationError(
    'not_found',
    `This invitation was used or revoked, or it is older than ${INVITATION_DAYS} days. Ask for a new one.`,
  );
}

/**
 * Makes a person a member by the link of an invitation, which works once.
 * @param person whose address is proved
 * @returns the account
 * @throws OperationError `not_found` for a link that does not work, `forbidden` for another person's
 */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  person: { readonly userId: string; readonly email: string; readonly address: string | null },
): Promise<string> {
  const found = await findInvitation(tx, token);
  if (!found) throw invalidInvitation();
  const { userId, email, address } = person;
  if (found.email !== email.toLowerCase()) {
    throw new OperationError(
      'forbidden',
      'This invitation is for another address. Sign in with the address that received it.',
    );
  }
  const { accountId, role } = found;
  await lockMembers(tx, accountId);
  const isSame = and(eq(invitations.id, found.id), eq(invitations.tokenSha256, hashToken(token)));
  const [taken] = await tx.delete(invitations).where(isSame).returning({ id: invitations.id });
  if (!taken) throw invalidInvitation();
  await tx
    .insert(memberships)
    .values({ accountId, userId, role, chosenAt: sql`now()` })
    .onConflictDoNothing();
  await recordAuditEvent(tx, {
    accountId,
    userId,
    address,
    action: 'team.accept',
    subject: `${email}: ${ROLE_NAMES[role]}`,
  });
  return accountId;
}

function unknownInvitation(): OperationError {
  return new OperationError('not_found', 'id: is no open invitation of this account.');
}

function assertMailWorks({ env }: TeamContext): void {
  if (findMailTransport(env) !== 'none') return;
  throw new OperationError(
    'conflict',
    'This service sends no mail, so no one can be invited. Its operator can set up mail (SMTP_URL).',
  );
}

async function assertRoom(tx: Tx, accountId: string, email: string): Promise<void> {
  const people = await tx
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.accountId, accountId));
  if (people.some((person) => person.email === email)) {
    throw new OperationError('conflict', 'email: is a member already. Change the role in the list.');
  }
  const invited = await tx.$count(invitations, eq(invitations.accountId, accountId));
  if (people.length + invited < PEOPLE_MAX) return;
  throw new OperationError(
    'conflict',
    `An account has at most ${PEOPLE_MAX} members and invitations. Remove a member, or revoke an invitation.`,
  );
}

async function mailInvitation(
  ctx: TeamContext,
  { accountId, userId }: TeamActor,
  offer: { readonly to: string; readonly role: Role; readonly token: string },
): Promise<void> {
  const [inviter] = await ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!inviter) return;
  const account = await findAccountName(ctx.db, accountId);
  sendMail(ctx, invitationMail(ctx.env, { ...offer, inviter: inviter.email, account }));
}

/** Returns the path of the page that an invitation's link opens. */
export function invitationPath(token: string): string {
  return `/invitation?${new URLSearchParams({ token })}`;
}

/** Invites a person into an account. The text is the same whether the address is known here or not. */
function invitationMail(
  { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>,
  { to, inviter, account, role, token }: InvitationText,
): Mail {
  return {
    to,
    subject: 'You are invited to an account at Darkroom',
    text: `${inviter} invites you to the account ${account} at Darkroom. Your role would be ${ROLE_NAMES[role]}. Open this link to join:

${PUBLIC_URL}${invitationPath(token)}

It works once, for ${INVITATION_DAYS} days. If you do not know ${inviter}, ignore this mail.`,
  };
}
