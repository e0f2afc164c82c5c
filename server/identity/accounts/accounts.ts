import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema, type Tx, violatedConstraint } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { buildWebhookSecretRow } from '../../io/webhooks/index.ts';
import { openWallet } from '../../money/wallet/index.ts';

const SECRET_BYTES = 32;

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

/**
 * Finds the account of an e-mail address (case-insensitive).
 * @throws OperationError `not_found` when there is none
 */
export async function findAccount(db: Executor, email: string): Promise<{ accountId: string }> {
  const { accounts } = schema;
  const [known] = await db
    .select({ accountId: accounts.id })
    .from(accounts)
    .where(eq(sql`lower(${accounts.email})`, sql`lower(${email.trim()})`));
  if (!known) throw new OperationError('not_found', `email: no account has the address "${email}".`);
  return known;
}

/** Creates a secret as Standard Webhooks asks for: 24 to 64 random bytes in base64 after the prefix. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Gives an account a new webhook secret. The one before signs as well for `graceHours` more.
 * @returns the new secret
 * @throws OperationError `unauthorized` when the account was deleted
 */
export async function rotateWebhookSecret(
  tx: Tx,
  { accountId, graceHours }: { accountId: string; graceHours: number },
): Promise<string> {
  const { webhookSecrets } = schema;
  await lockOpenAccount(tx, accountId);
  const secret = newWebhookSecret();
  // Two sign at most: each makes every delivery longer.
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(webhookSecrets.accountId, accountId), isNotNull(webhookSecrets.expiresAt)));
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`now() + ${graceHours} * interval '1 hour'` })
    .where(and(eq(webhookSecrets.accountId, accountId), isNull(webhookSecrets.expiresAt)));
  await tx.insert(webhookSecrets).values(buildWebhookSecretRow(accountId, secret));
  return secret;
}

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
