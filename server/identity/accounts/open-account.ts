import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { buildWebhookSecretRow } from '../../io/webhooks/index.ts';
import { openWallet } from '../../money/wallet/index.ts';
import { newWebhookSecret } from './rotate-webhook-secret.ts';

const { accounts, webhookSecrets } = schema;
const EMAIL = z.email().max(254);

/**
 * Opens the account of an e-mail address (case-insensitive); a new account gets an empty wallet and a webhook secret.
 * @throws OperationError `bad_request` when it is not an e-mail address
 */
export async function openAccount(
  db: Executor,
  email: string,
): Promise<{ accountId: string; created: boolean }> {
  const address = EMAIL.safeParse(email.trim());
  if (!address.success)
    throw new OperationError('bad_request', `email: "${email}" is not an e-mail address.`);
  return await db.transaction(async (tx) => {
    const [made] = await tx
      .insert(accounts)
      .values({ email: address.data })
      .onConflictDoNothing()
      .returning({ accountId: accounts.id });
    if (!made) {
      const [known] = await tx
        .select({ accountId: accounts.id })
        .from(accounts)
        .where(eq(sql`lower(${accounts.email})`, sql`lower(${address.data})`));
      if (!known) throw new Error(`the account of ${address.data} was not found`);
      return { accountId: known.accountId, created: false };
    }
    const { accountId } = made;
    await openWallet(tx, accountId);
    await tx.insert(webhookSecrets).values(buildWebhookSecretRow(accountId, newWebhookSecret()));
    return { accountId, created: true };
  });
}
