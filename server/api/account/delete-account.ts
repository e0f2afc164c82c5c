import { and, eq, inArray, ne, notInArray, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { getRemoveEntries } from '../../base/queue/index.ts';
import { retireServiceOwner } from '../../identity/auth/index.ts';
import { createPersonalAccount, findAccountName } from '../../identity/team/index.ts';
import { stopAutomaticTopUps } from '../../money/stripe/index.ts';

const { accounts, invitations, memberships, sessions, users } = schema;

/** Contents of a job, without them: they go at once, while its money stays in the books. */
const ERASED = {
  params: {},
  facts: {},
  details: null,
  warnings: [],
  webhookUrl: null,
  reference: null,
  metadata: {},
  cacheKey: null,
  cachedResult: null,
  outputDeliveries: [],
  weights: [],
  receipt: null,
  spendingSession: null,
  worker: null,
  // The reason of a failure may name a file or a host.
  error: sql`case when ${schema.jobs.error} is not null then 'deleted' end`,
};

/**
 * Deletes an account: its team, the person it was opened for with sessions and passkeys, keys' use, webhooks, sandbox,
 * and the contents of its jobs, at once; files with the next clean-up. What stays is the ledger, which refers to a
 * nameless account.
 * @param by person who deletes it: only this person's ways to sign in are deleted. Absent for the service itself.
 * @throws OperationError `conflict` while jobs are unfinished, or while another account has no other owner
 */
export async function deleteAccount({ db }: Context, accountId: string, by?: string): Promise<void> {
  const { accounts, apiKeys, batchItems, deliveries, deliveryAttempts, files, jobs } = schema;
  const { uploads } = schema;
  await db.transaction(async (tx) => {
    const ids = await lockForDeletion(tx, accountId, by);
    const ended = ['COMPLETED', 'FAILED', 'ERROR'] as const;
    const [unfinished] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(inArray(jobs.accountId, ids), notInArray(jobs.status, [...ended])))
      .limit(1);
    if (unfinished) {
      throw new OperationError('conflict', 'Jobs are still running. Cancel them, or wait for their end.');
    }
    const own = tx.select({ id: jobs.id }).from(jobs).where(inArray(jobs.accountId, ids));
    await tx
      .update(files)
      .set({ expiresAt: sql`now()`, name: 'deleted', fileName: null, facts: null, sourceUrl: null })
      .where(inArray(files.jobId, own));
    await tx.update(jobs).set(ERASED).where(inArray(jobs.accountId, ids));
    await tx.delete(batchItems).where(inArray(batchItems.jobId, own));
    const sent = tx.select({ id: deliveries.id }).from(deliveries).where(inArray(deliveries.accountId, ids));
    await tx.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryId, sent));
    await getRemoveEntries(tx, ids);
    await tx.delete(deliveries).where(inArray(deliveries.accountId, ids));
    await tx.delete(schema.webhookSecrets).where(eq(schema.webhookSecrets.accountId, accountId));
    await tx
      .update(uploads)
      .set({ expiresAt: sql`now()`, name: null })
      .where(inArray(uploads.accountId, ids));
    await tx.delete(schema.idempotencyKeys).where(inArray(schema.idempotencyKeys.accountId, ids));
    const revokedAt = sql`coalesce(${apiKeys.revokedAt}, now())`;
    await tx
      .update(apiKeys)
      .set({ revokedAt, name: 'deleted', createdBy: null })
      .where(inArray(apiKeys.accountId, ids));
    await stopAutomaticTopUps(tx, accountId);
    await tx.delete(schema.presets).where(inArray(schema.presets.accountId, ids));
    await tx.delete(schema.automaticTopUps).where(eq(schema.automaticTopUps.accountId, accountId));
    await tx.delete(schema.spendingAlerts).where(eq(schema.spendingAlerts.accountId, accountId));
    await tx.delete(schema.loggedRequests).where(inArray(schema.loggedRequests.accountId, ids));
    await tx.delete(schema.auditEvents).where(eq(schema.auditEvents.accountId, accountId));
    await endTeam(tx, accountId, by);
    await tx
      .update(accounts)
      .set({ email: sql`concat('deleted-', ${accounts.id})`, eventUrl: null, deletedAt: sql`now()` })
      .where(inArray(accounts.id, ids));
  });
}

/**
 * Locks what the deletion of an account changes: the account and its sandbox, for which whatever makes a job, a key or
 * an upload waits, and the other accounts that its person belongs to, for which changes of members wait. Two deletions
 * lock in the same order, by id: neither has what the other waits for.
 * @param by person who deletes the account; absent for the service itself
 * @returns the ids of the account and of its sandbox
 */
async function lockForDeletion(tx: Tx, accountId: string, by: string | undefined): Promise<string[]> {
  const joined = await tx
    .select({ id: memberships.accountId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(users.accountId, accountId), by === undefined ? undefined : eq(users.id, by)));
  const ids = new Set([accountId, ...joined.map(({ id }) => id)]);
  for (const id of [...ids].sort()) {
    const locked = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id));
    await locked.for(id === accountId ? 'update' : 'no key update');
  }
  // None of them can be opened any more.
  const sandboxes = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.sandboxOf, accountId))
    .for('update');
  return [accountId, ...sandboxes.map(({ id }) => id)];
}

/**
 * Ends the memberships and invitations of an account that is deleted, and deletes the person it was opened for. Where
 * another owner deletes it, that person keeps the way to sign in, with an empty account.
 * @param by person who deletes the account; absent for the service itself
 * @throws OperationError `conflict` while the person is the only owner of another account
 */
async function endTeam(tx: Tx, accountId: string, by: string | undefined): Promise<void> {
  const people = await tx.select({ id: users.id }).from(users).where(eq(users.accountId, accountId));
  for (const { id } of people) {
    if (by === undefined || by === id) await assertReplaceable(tx, accountId, id);
    else await createPersonalAccount(tx, accountId, id);
  }
  await tx.delete(invitations).where(eq(invitations.accountId, accountId));
  await tx.delete(memberships).where(eq(memberships.accountId, accountId));
  await tx.update(sessions).set({ accountId: null }).where(eq(sessions.accountId, accountId));
  await retireServiceOwner(tx, accountId);
  await tx.delete(users).where(eq(users.accountId, accountId));
}

/** @throws OperationError `conflict` for the only owner of an account other than the given one */
async function assertReplaceable(tx: Tx, accountId: string, userId: string): Promise<void> {
  // Changes of the members of these accounts wait. All are locked, but for one that the person has just joined.
  const owned = tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner')));
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, owned))
    .orderBy(accounts.id)
    .for('no key update');
  const hasOtherOwner = sql`exists (select from memberships other where other.role = 'owner'
    and other.account_id = ${memberships.accountId} and other.user_id <> ${userId})`;
  const isOnlyOwner = and(
    eq(memberships.userId, userId),
    eq(memberships.role, 'owner'),
    ne(memberships.accountId, accountId),
    sql`not ${hasOtherOwner}`,
  );
  const [left] = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(isOnlyOwner)
    .limit(1);
  if (!left) return;
  const name = await findAccountName(tx, left.accountId);
  throw new OperationError(
    'conflict',
    `You are the only owner of the account ${name}. Make another member its owner or delete it first.`,
  );
}
