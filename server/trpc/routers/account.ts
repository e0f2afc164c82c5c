import { OperationError } from '../../../models/operation/errors.ts';
import { deleteAccount } from '../../account-data/index.ts';
import { listAuditEvents } from '../../audit/index.ts';
import { assertPassword } from '../../http/account/assert-password.ts';
import { findMailTransport } from '../../mail/index.ts';
import { ownProcedure, router } from '../procedures/init.ts';
import { activityInput, deleteAccountInput } from '../procedures/inputs.ts';

export const accountRouter = router({
  me: ownProcedure.query(({ ctx: { ctx, visitor } }) => {
    const { name, email, sessionId } = visitor;
    return { name, email, sessionId, isMailLogged: findMailTransport(ctx.env) === 'log' };
  }),
  /** Lists the actions of the account's people, newest first. */
  activity: ownProcedure.input(activityInput).query(async ({ ctx: { ctx, accountId }, input }) => {
    const after = input.cursor == null ? undefined : BigInt(input.cursor);
    const { events, next } = await listAuditEvents(ctx.db, { accountId, after, limit: input.limit });
    return {
      events: events.map(({ id, createdAt, ...event }) => ({
        ...event,
        id: String(id),
        createdAt: createdAt.toISOString(),
      })),
      next: next === null ? null : String(next),
    };
  }),
  /** Deletes the account for ever. Takes its address and the password again. */
  delete: ownProcedure.input(deleteAccountInput).mutation(async ({ ctx, input }) => {
    if (input.email.trim().toLowerCase() !== ctx.visitor.email) {
      throw new OperationError('bad_request', 'email: is not the address of this account.');
    }
    const { email } = ctx.visitor;
    await assertPassword(ctx.ctx, ctx, { email, password: input.password });
    await deleteAccount(ctx.ctx, ctx.accountId);
  }),
});
