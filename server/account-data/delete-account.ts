import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { OperationError } from '../../models/operation/errors.ts';
import { retireOwner } from '../auth/index.ts';
import { schema } from '../base/db.ts';
import type { Context } from '../context.ts';
import { stopAutomaticTopUps } from '../stripe/index.ts';

/**
 * Deletes an account: its users, sessions, passkeys, keys' use, webhooks, and the contents of its jobs, at once; files
 * with the next clean-up. What stays is the ledger, which refers to a nameless account.
 * @throws OperationError `conflict` while jobs are unfinished
 */
export async function deleteAccount({ db }: Context, accountId: string): Promise<void> {
  const { accounts, apiKeys, batchItems, deliveries, deliveryAttempts, files, jobs, queueEntries } = schema;
  const { uploads, users } = schema;
  await db.transaction(async (tx) => {
    // Whatever makes a job, a key or an upload locks this row first, and looks whether the account is deleted.
    await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('update');
    const ended = ['COMPLETED', 'FAILED', 'ERROR'] as const;
    const [unfinished] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.accountId, accountId), notInArray(jobs.status, [...ended])))
      .limit(1);
    if (unfinished) {
      throw new OperationError('conflict', 'Jobs are still running. Cancel them, or wait for their end.');
    }
    const own = tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.accountId, accountId));
    await tx
      .update(files)
      .set({ expiresAt: sql`now()`, name: 'deleted', sourceUrl: null })
      .where(inArray(files.jobId, own));
    await tx
      .update(jobs)
      .set({
        params: {},
        facts: {},
        details: null,
        warnings: [],
        webhookUrl: null,
        reference: null,
        metadata: {},
        cacheKey: null,
        // The reason of a failure may name a file or a host.
        error: sql`case when ${jobs.error} is not null then 'deleted' end`,
      })
      .where(eq(jobs.accountId, accountId));
    await tx.delete(batchItems).where(inArray(batchItems.jobId, own));
    const sent = tx.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.accountId, accountId));
    await tx.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryId, sent));
    await tx.delete(queueEntries).where(eq(queueEntries.accountId, accountId));
    await tx.delete(deliveries).where(eq(deliveries.accountId, accountId));
    await tx.delete(schema.webhookSecrets).where(eq(schema.webhookSecrets.accountId, accountId));
    await tx.update(uploads).set({ expiresAt: sql`now()` }).where(eq(uploads.accountId, accountId));
    await tx.delete(schema.idempotencyKeys).where(eq(schema.idempotencyKeys.accountId, accountId));
    const revokedAt = sql`coalesce(${apiKeys.revokedAt}, now())`;
    await tx.update(apiKeys).set({ revokedAt, name: 'deleted' }).where(eq(apiKeys.accountId, accountId));
    await stopAutomaticTopUps(tx, accountId);
    await tx.delete(schema.automaticTopUps).where(eq(schema.automaticTopUps.accountId, accountId));
    await tx.delete(schema.auditEvents).where(eq(schema.auditEvents.accountId, accountId));
    await retireOwner(tx, accountId);
    await tx.delete(users).where(eq(users.accountId, accountId));
    await tx
      .update(accounts)
      .set({ email: `deleted-${accountId}`, deletedAt: sql`now()` })
      .where(eq(accounts.id, accountId));
  });
}
