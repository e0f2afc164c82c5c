import { type Executor, schema } from '../../base/database/db.ts';

/** Opens an empty wallet for an account. Does nothing when it has one. */
export async function openWallet(db: Executor, accountId: string): Promise<void> {
  await db
    .insert(schema.ledgerAccounts)
    .values({ kind: 'wallet', ownerId: accountId })
    .onConflictDoNothing({ target: schema.ledgerAccounts.ownerId });
}
