import { eq } from 'drizzle-orm';
import { type Executor, schema, violatedConstraint } from '../db.ts';

/** Gives an account another e-mail address. It keeps its own when another account has that address. */
export async function renameAccount(
  db: Executor,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const { accounts } = schema;
  await db
    .update(accounts)
    .set({ email })
    .where(eq(accounts.id, accountId))
    .catch((thrown: unknown) => {
      if (violatedConstraint(thrown) !== 'accounts_email') throw thrown;
    });
}
