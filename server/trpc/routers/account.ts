import { OperationError } from '../../../models/errors.ts';
import { authOf } from '../../auth/index.ts';
import { deleteAccount } from '../../data/index.ts';
import { ownProcedure, router } from '../init.ts';
import { deleteAccountInput } from '../inputs.ts';

export const accountRouter = router({
  me: ownProcedure.query(({ ctx: { visitor } }) => {
    const { name, email, sessionId } = visitor;
    return { name, email, sessionId };
  }),
  /** Deletes the account for ever. Takes its address and the password again. */
  delete: ownProcedure.input(deleteAccountInput).mutation(async ({ ctx, input }) => {
    if (input.email.trim().toLowerCase() !== ctx.visitor.email) {
      throw new OperationError('bad_request', 'email: is not the address of this account.');
    }
    const auth = await authOf(ctx.ctx);
    const { password } = input;
    await auth.api.verifyPassword({ body: { password }, headers: ctx.headers }).catch(() => {
      throw new OperationError('bad_request', 'password: is wrong.');
    });
    await deleteAccount(ctx.ctx, ctx.accountId);
  }),
});
