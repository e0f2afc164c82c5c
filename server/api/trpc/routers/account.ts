import { OperationError } from '../../../../models/core/operation/errors.ts';
import { listPermissions } from '../../../base/permissions.ts';
import { listAuditActors, listAuditEvents } from '../../../identity/audit/index.ts';
import { findMailTransport } from '../../../io/mail/index.ts';
import { assertPassword } from '../../account/assert-password.ts';
import { deleteAccount } from '../../account-data/index.ts';
import { ownProcedure, router } from '../procedures/init.ts';
import { activityInput, deleteAccountInput } from '../procedures/inputs.ts';

export const accountRouter = router({
  me: ownProcedure('account.see').query(({ ctx: { ctx, visitor } }) => {
    const { userId, accountId, name, email, sessionId, role } = visitor;
    return {
      userId,
      accountId,
      name,
      email,
      sessionId,
      role,
      permissions: listPermissions(role),
      isMailLogged: findMailTransport(ctx.env) === 'log',
    };
  }),
  /** Lists the actions of the account's people, or of one of them, newest first. */
  activity: ownProcedure('account.see')
    .input(activityInput)
    .query(async ({ ctx: { ctx, accountId }, input }) => {
      const after = input.cursor == null ? undefined : BigInt(input.cursor);
      const { userId, limit } = input;
      const { events, next } = await listAuditEvents(ctx.db, { accountId, userId, after, limit });
      return {
        events: events.map(({ id, createdAt, ...event }) => ({
          ...event,
          id: String(id),
          createdAt: createdAt.toISOString(),
        })),
        next: next === null ? null : String(next),
      };
    }),
  /** Lists the people of the log, former members too. */
  actors: ownProcedure('account.see').query(({ ctx: { ctx, accountId } }) =>
    listAuditActors(ctx.db, accountId),
  ),
  /** Deletes the account for ever. Takes its address and the password again. */
  delete: ownProcedure('account.change')
    .input(deleteAccountInput)
    .mutation(async ({ ctx, input }) => {
      if (input.email.trim().toLowerCase() !== ctx.visitor.email) {
        throw new OperationError('bad_request', 'email: is not your address.');
      }
      const { email, userId } = ctx.visitor;
      await assertPassword(ctx.ctx, ctx, { email, password: input.password });
      await deleteAccount(ctx.ctx, ctx.accountId, userId);
    }),
});
