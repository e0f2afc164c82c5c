import { eq } from 'drizzle-orm';
import { type Executor, schema, violatedConstraint } from '../../base/database/db.ts';

/**
 * Gives an account another e-mail address. When another account has that address, it gets none: a person who signs up with
 * the former one must not come into this account.
 */
export async function renameAccount(
  db: Executor,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const rename = (address: string) =>
    db.update(schema.accounts).set({ email: address }).where(eq(schema.accounts.id, accountId));
  await rename(email).catch(async (thrown: unknown) => {
    if (violatedConstraint(thrown) !== 'accounts_email') throw thrown;
    await rename(`changed-${accountId}`);
  });
}
