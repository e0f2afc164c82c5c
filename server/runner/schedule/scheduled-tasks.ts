import { type CronItem, type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import { findModel } from '../../../models/operation/batch.ts';
import type { Lane } from '../../../models/operation/lane.ts';
import { setStatementTimeout } from '../../base/db.ts';
import type { Context, Operations } from '../../context.ts';
import { endOverdueJobs, type RunDescription, requeueJob } from '../../jobs/index.ts';
import { recordTaskRun } from '../../scheduled-tasks/index.ts';
import {
  chargeAutomaticTopUps,
  collectOwedRefunds,
  deleteRetiredCustomers,
  isStripeConfigured,
} from '../../stripe/index.ts';
import { reconcileBalances } from '../../wallet/index.ts';
import { requeueDelivery } from '../../webhooks/index.ts';
import { deleteExpiredData } from './delete-expired-data.ts';
import { purgeOldRecords } from './purge-old-records.ts';
import { LEGACY_RUN_TASKS, type TaskPayloads } from './task-types.ts';

/** Limit for reading the whole ledger. */
const RECONCILE_TIMEOUT_MS = 600_000;

const describeSchedule = (task: keyof TaskPayloads, match: string): CronItem => ({
  task,
  match,
  options: { jobKey: task, maxAttempts: 1 },
});

/** Schedule of the regular chores; once for all runners together. */
export const CRON: readonly ParsedCronItem[] = parseCronItems([
  describeSchedule('end-overdue', '* * * * *'),
  describeSchedule('top-up', '* * * * *'),
  describeSchedule('clean-up', '*/10 * * * *'),
  describeSchedule('reconcile', '7 * * * *'),
  describeSchedule('purge', '23 * * * *'),
]);

/** Returns the handlers of what earlier versions queued: each moves its job or delivery to today's queue. */
export function createLegacyTasks({ db }: Context, operations: Operations): TaskList {
  const laneOf = ({ operationId, facts, params }: RunDescription): Lane => {
    const { operation, isBatch } = findModel(operations, operationId) ?? {};
    return isBatch ? 'batch' : (operation?.laneFor(facts, params) ?? 'long');
  };
  const move = ({ id }: { readonly id: string }) => requeueJob(db, id, laneOf);
  return {
    ...Object.fromEntries(LEGACY_RUN_TASKS.map((task) => [task, move])),
    'deliver-webhook': ({ deliveryId }: TaskPayloads['deliver-webhook']) => requeueDelivery(db, deliveryId),
  };
}

/** Returns the handlers of the regular chores. */
export function createScheduledTasks(ctx: Context): TaskList {
  return {
    async 'end-overdue'() {
      const jobs = await recordTaskRun(ctx.db, 'end-overdue', () => endOverdueJobs(ctx));
      if (jobs > 0) ctx.log.warn({ jobs }, 'ended overdue jobs');
    },
    async 'top-up'() {
      if (!isStripeConfigured(ctx.env)) return;
      const attempts = await recordTaskRun(ctx.db, 'top-up', async () => {
        await collectOwedRefunds(ctx);
        await deleteRetiredCustomers(ctx);
        return await chargeAutomaticTopUps(ctx);
      });
      if (attempts > 0) ctx.log.info({ attempts }, 'topped up automatically');
    },
    'clean-up': () => recordTaskRun(ctx.db, 'clean-up', () => deleteExpiredData(ctx)),
    purge: () => recordTaskRun(ctx.db, 'purge', () => purgeOldRecords(ctx)),
    async reconcile() {
      const compare = () =>
        ctx.db.transaction(async (tx) => {
          await setStatementTimeout(tx, { timeoutMs: RECONCILE_TIMEOUT_MS });
          return await reconcileBalances(tx);
        });
      const { ok, faults } = await recordTaskRun(
        ctx.db,
        'reconcile',
        compare,
        (found) => found.faults[0] ?? null,
      );
      if (!ok) ctx.log.error({ faults }, 'the ledger is inconsistent');
    },
  };
}
