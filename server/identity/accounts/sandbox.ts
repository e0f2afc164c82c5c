import { eq } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import { openWallet } from '../../money/wallet/index.ts';

const { accounts } = schema;

/**
 * Opens the sandbox of an account, or returns the one it has: jobs, keys, uploads and idempotency keys of tests belong
 * to it, so that they never meet those of the account. Its wallet stays empty.
 */
export async function openSandbox(db: Executor, accountId: string): Promise<string> {
  const known = await findSandbox(db, accountId);
  if (known !== undefined) return known;
  return await db.transaction(async (tx) => {
    const [made] = await tx
      .insert(accounts)
      .values({ email: `sandbox-${accountId}`, sandboxOf: accountId })
      .onConflictDoNothing()
      .returning({ id: accounts.id });
    const sandboxId = made?.id ?? (await findSandbox(tx, accountId));
    if (sandboxId === undefined) throw new Error(`the sandbox of ${accountId} was not found`);
    await openWallet(tx, sandboxId);
    return sandboxId;
  });
}

/** Returns the sandbox of an account; undefined while it has none. */
export async function findSandbox(db: Executor, accountId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.sandboxOf, accountId));
  return found?.id;
}

/** Returns the account whose sandbox this is; null for an account that is none. */
export async function findSandboxOwner(db: Executor, accountId: string): Promise<string | null> {
  const [found] = await db
    .select({ owner: accounts.sandboxOf })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return found?.owner ?? null;
}
