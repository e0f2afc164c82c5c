import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import {
  acceptInvitation,
  changeRole,
  findInvitedAddress,
  invite,
  leaveTeam,
  listAccounts,
  listInvitations,
  listMembers,
  removeMember,
  resendInvitation,
  revokeInvitation,
  switchAccount,
  type TeamActor,
} from '../../identity/team/index.ts';
import { countMail } from '../account/assert-password.ts';
import { CLIENT_ADDRESS } from '../transport/client-address.ts';
import { createBucketId, takeToken } from '../transport/rate-limit.ts';
import { ownProcedure, router } from './init.ts';
import {
  accountInput,
  invitationIdInput,
  invitationInput,
  invitationTokenInput,
  removalInput,
  roleInput,
} from './inputs.ts';

/** Mails with invitations that an account may have sent in a day. */
const INVITATIONS_PER_DAY = 20;
const INVITATION_RATE = {
  counts: 'invitations of this account',
  perSecond: INVITATIONS_PER_DAY / 86_400,
  burst: INVITATIONS_PER_DAY,
};

export const teamRouter = router({
  /** The members of the account and its open invitations. */
  list: ownProcedure('account.see').query(async ({ ctx: { ctx, accountId } }) => {
    const [members, invitations] = await Promise.all([
      listMembers(ctx.db, accountId),
      listInvitations(ctx.db, accountId),
    ]);
    return {
      members: members.map((member) => ({ ...member, createdAt: member.createdAt.toISOString() })),
      invitations: invitations.map((invitation) => ({
        ...invitation,
        createdAt: invitation.createdAt.toISOString(),
        expiresAt: invitation.expiresAt.toISOString(),
      })),
    };
  }),
  /** The accounts that the visitor belongs to. */
  accounts: ownProcedure('account.see').query(({ ctx: { ctx, visitor } }) =>
    listAccounts(ctx.db, visitor.userId),
  ),
  /** Sends an invitation by mail. */
  invite: ownProcedure('members.change')
    .input(invitationInput)
    .mutation(async ({ ctx, input }) => {
      await countInvitation(ctx.ctx, ctx.accountId, input.email);
      await invite(ctx.ctx, getActor(ctx), input);
    }),
  resend: ownProcedure('members.change')
    .input(invitationIdInput)
    .mutation(async ({ ctx, input: { id } }) => {
      const address = await findInvitedAddress(ctx.ctx.db, ctx.accountId, id);
      if (address !== undefined) await countInvitation(ctx.ctx, ctx.accountId, address);
      await resendInvitation(ctx.ctx, getActor(ctx), id);
    }),
  revoke: ownProcedure('members.change')
    .input(invitationIdInput)
    .mutation(({ ctx, input: { id } }) => revokeInvitation(ctx.ctx, getActor(ctx), id)),
  changeRole: ownProcedure('members.change')
    .input(roleInput)
    .mutation(({ ctx, input: { userId, role } }) => changeRole(ctx.ctx.db, getActor(ctx), userId, role)),
  remove: ownProcedure('members.change')
    .input(removalInput)
    .mutation(({ ctx, input: { userId, keys } }) => removeMember(ctx.ctx, getActor(ctx), userId, keys)),
  leave: ownProcedure('account.see').mutation(({ ctx }) => leaveTeam(ctx.ctx.db, getActor(ctx))),
  /** Shows another account of the visitor in this session. */
  switch: ownProcedure('account.see')
    .input(accountInput)
    .mutation(({ ctx, input: { accountId } }) =>
      switchAccount(ctx.ctx.db, { ...getActor(ctx), accountId }, ctx.visitor.sessionId),
    ),
  /** Joins an account by the link of an invitation, and shows it in this session. */
  accept: ownProcedure('account.see')
    .input(invitationTokenInput)
    .mutation(async ({ ctx, input: { token } }) => {
      const { email, sessionId } = ctx.visitor;
      const actor = getActor(ctx);
      const accountId = await ctx.ctx.db.transaction((tx) =>
        acceptInvitation(tx, token, { ...actor, email }),
      );
      await switchAccount(ctx.ctx.db, { ...actor, accountId }, sessionId);
    }),
});

interface TeamCall {
  readonly accountId: string;
  readonly visitor: { readonly userId: string };
  readonly headers: Headers;
}

function getActor({ accountId, visitor, headers }: TeamCall): TeamActor {
  return { accountId, userId: visitor.userId, address: headers.get(CLIENT_ADDRESS) };
}

/** @throws OperationError `too_many_requests` for more mails than an account a day, or an address, may have */
async function countInvitation(ctx: Context, accountId: string, email: string): Promise<void> {
  const { allowed } = await takeToken(ctx, createBucketId('invitations', accountId), INVITATION_RATE);
  if (!allowed) {
    throw new OperationError(
      'too_many_requests',
      `An account may send ${INVITATIONS_PER_DAY} invitations a day. Try again tomorrow.`,
    );
  }
  await countMail(ctx, 'invitation', email.toLowerCase());
}
