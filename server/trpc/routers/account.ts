import { OperationError } from '../../../models/errors.ts';
import { listDeeds } from '../../audit/index.ts';
import { deleteAccount } from '../../data/index.ts';
import { assertPassword } from '../../http/assert-password.ts';
import { mailWay } from '../../mail/index.ts';
import { ownProcedure, router } from '../init.ts';
import { activityInput, deleteAccountInput } from '../inputs.ts';

export const accountRouter = router({
  me: ownProcedure.query(({ ctx: { ctx, visitor } }) => {
    const { name, email, sessionId } = visitor;
    return { name, email, sessionId, isMailLogged: mailWay(ctx.env) === 'log' };
  }),
  /** Lists the actions of the account's people, newest first. */
  activity: ownProcedure.input(activityInput).query(async ({ ctx: { ctx, accountId }, input }) => {
    const after = input.cursor == null ? undefined : BigInt(input.cursor);
    const { deeds, next } = await listDeeds(ctx.db, { accountId, after, limit: input.limit });
    return {
      deeds: deeds.map(({ id, createdAt, ...deed }) => ({
        ...deed,
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
