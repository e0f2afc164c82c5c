import { lt, sql } from 'drizzle-orm';
import type { Context } from '../../base/context.ts';
import { schema, setStatementTimeout } from '../../base/database/db.ts';
import { IDEMPOTENCY_HOURS } from '../../base/periods.ts';
import { removeStale } from '../../base/remove-stale.ts';
import { purgeAuditEvents } from '../../identity/accounts/index.ts';
import { purgeSessions } from '../../identity/auth/index.ts';
import { purgeTokens } from '../../identity/keys/index.ts';
import { purgeLoggedRequests } from '../../identity/request-log/index.ts';
import { purgeInvitations, stopTopUpsOfFormerMembers } from '../../identity/team/index.ts';
import { deleteExpiredUploads } from '../../io/uploads/index.ts';
import { purgeDeliveries } from '../../io/webhooks/index.ts';
import { mailAlerts } from '../../money/spending/index.ts';
import {
  chargeAutomaticTopUps,
  deleteRetiredCustomers,
  isStripeConfigured,
  purgeEvents,
  retryOutstandingRefunds,
} from '../../money/stripe/index.ts';
import { reconcileBalances } from '../../money/wallet/index.ts';
import { deleteExpiredFiles, deleteOrphans, endOverdueJobs, purgeJobs } from '../index.ts';
import { runsDirectory } from './run-job.ts';
import type { ScheduledWork } from './scheduler.ts';

/** Longer than any attempt may take. */
const RUN_DIRECTORY_AGE_MS = 12 * 3_600_000;

/** Limit for reading the whole ledger. */
const RECONCILE_TIMEOUT_MS = 600_000;

/** Lists the scheduled tasks. Each runs once for all runners together. */
export function createScheduledTasks(ctx: Context): readonly ScheduledWork[] {
  return [
    { name: 'end-overdue', everyMinutes: 1, work: () => endOverdue(ctx) },
    { name: 'spending-alerts', everyMinutes: 1, work: () => mailAlerts(ctx) },
    ...(isStripeConfigured(ctx.env)
      ? [{ name: 'top-up', everyMinutes: 1, work: () => topUp(ctx) } as const]
      : []),
    { name: 'clean-up', everyMinutes: 10, needs: ['store'], work: () => deleteExpiredData(ctx) },
    { name: 'reconcile', everyMinutes: 60, atMinute: 7, work: () => reconcileLedger(ctx) },
    { name: 'purge', everyMinutes: 60, atMinute: 23, work: () => purgeOldRecords(ctx) },
  ];
}

async function endOverdue(ctx: Context): Promise<void> {
  const jobs = await endOverdueJobs(ctx);
  if (jobs > 0) ctx.log.warn({ jobs }, 'ended overdue jobs');
}

async function topUp(ctx: Context): Promise<void> {
  await retryOutstandingRefunds(ctx);
  const departed = await stopTopUpsOfFormerMembers(ctx);
  if (departed > 0) ctx.log.info({ departed }, 'ended automatic top-ups whose payer has left');
  await deleteRetiredCustomers(ctx);
  const attempts = await chargeAutomaticTopUps(ctx);
  if (attempts > 0) ctx.log.info({ attempts }, 'topped up automatically');
}

/** @throws Error with the first fault of the ledger */
async function reconcileLedger({ db, log }: Context): Promise<void> {
  const { faults } = await db.transaction(async (tx) => {
    await setStatementTimeout(tx, { timeoutMs: RECONCILE_TIMEOUT_MS });
    return await reconcileBalances(tx);
  });
  const [fault] = faults;
  if (fault === undefined) return;
  log.error({ faults }, 'the ledger is inconsistent');
  throw new Error(fault);
}

/** Deletes expired jobs and webhook deliveries, and what else is kept for a time. */
export async function purgeOldRecords(ctx: Context): Promise<void> {
  const deliveries = await purgeDeliveries(ctx);
  const jobs = await purgeJobs(ctx);
  await purgeEvents(ctx);
  await purgeAuditEvents(ctx);
  await purgeSessions(ctx);
  await purgeInvitations(ctx);
  await purgeLoggedRequests(ctx);
  await purgeTokens(ctx.db);
  if (jobs + deliveries > 0) ctx.log.info({ jobs, deliveries }, 'purged');
}

/**
 * Deletes what has expired: files, unused uploads, recorded responses, and rate-limit buckets that are full again.
 */
export async function deleteExpiredData(ctx: Context): Promise<void> {
  const { idempotencyKeys, rateLimits } = schema;
  const files = await deleteExpiredFiles(ctx);
  const uploads = await deleteExpiredUploads(ctx);
  const orphans = await deleteOrphans(ctx);
  await ctx.db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, sql`now() - interval '1 hour' * ${IDEMPOTENCY_HOURS}::int`));
  await ctx.db.delete(rateLimits).where(lt(rateLimits.updatedAt, sql`now() - interval '24 hours'`));
  if (files + uploads + orphans > 0) ctx.log.info({ files, uploads, orphans }, 'cleaned up');
}

/** Deletes the files of attempts on this machine whose runner was killed. */
export async function removeStaleRuns(ctx: Context): Promise<void> {
  await removeStale(runsDirectory(ctx), RUN_DIRECTORY_AGE_MS);
}
