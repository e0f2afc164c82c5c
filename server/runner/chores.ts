import { type CronItem, type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import { findModel } from '../../models/batch.ts';
import type { Lane } from '../../models/lane.ts';
import { recordChore } from '../chores/index.ts';
import type { Context, Operations } from '../context.ts';
import { allowStatements } from '../db.ts';
import { endOverdueJobs, type RunDescription, requeueJob } from '../jobs/index.ts';
import { collectOwed, deleteRetiredCustomers, hasStripe, topUpAutomatically } from '../stripe/index.ts';
import { reconcile } from '../wallet/index.ts';
import { requeueDelivery } from '../webhooks/index.ts';
import { cleanUp } from './clean-up.ts';
import { purge } from './purge.ts';
import { EARLIER_RUN_TASKS, type Tasks } from './tasks.ts';

/** Limit for reading the whole ledger. */
const RECONCILE_TIMEOUT_MS = 600_000;

const schedule = (task: keyof Tasks, match: string): CronItem => ({
  task,
  match,
  options: { jobKey: task, maxAttempts: 1 },
});

/** Schedule of the regular chores; once for all runners together. */
export const CRON: readonly ParsedCronItem[] = parseCronItems([
  schedule('end-overdue', '* * * * *'),
  schedule('top-up', '* * * * *'),
  schedule('clean-up', '*/10 * * * *'),
  schedule('reconcile', '7 * * * *'),
  schedule('purge', '23 * * * *'),
]);

/** Returns the handlers of what earlier versions queued: each moves its job or delivery to today's queue. */
export function movesOf({ db }: Context, operations: Operations): TaskList {
  const laneOf = ({ operationId, facts, params }: RunDescription): Lane => {
    const { operation, isBatch } = findModel(operations, operationId) ?? {};
    return isBatch ? 'batch' : (operation?.laneFor(facts, params) ?? 'long');
  };
  const move = ({ id }: { readonly id: string }) => requeueJob(db, id, laneOf);
  return {
    ...Object.fromEntries(EARLIER_RUN_TASKS.map((task) => [task, move])),
    'deliver-webhook': ({ deliveryId }: Tasks['deliver-webhook']) => requeueDelivery(db, deliveryId),
  };
}

/** Returns the handlers of the regular chores. */
export function choresOf(ctx: Context): TaskList {
  return {
    async 'end-overdue'() {
      const jobs = await recordChore(ctx.db, 'end-overdue', () => endOverdueJobs(ctx));
      if (jobs > 0) ctx.log.warn({ jobs }, 'ended overdue jobs');
    },
    async 'top-up'() {
      if (!hasStripe(ctx.env)) return;
      const attempts = await recordChore(ctx.db, 'top-up', async () => {
        await collectOwed(ctx);
        await deleteRetiredCustomers(ctx);
        return await topUpAutomatically(ctx);
      });
      if (attempts > 0) ctx.log.info({ attempts }, 'topped up automatically');
    },
    'clean-up': () => recordChore(ctx.db, 'clean-up', () => cleanUp(ctx)),
    purge: () => recordChore(ctx.db, 'purge', () => purge(ctx)),
    async reconcile() {
      const compare = () =>
        ctx.db.transaction(async (tx) => {
          await allowStatements(tx, { timeoutMs: RECONCILE_TIMEOUT_MS });
          return await reconcile(tx);
        });
      const { ok, faults } = await recordChore(
        ctx.db,
        'reconcile',
        compare,
        (found) => found.faults[0] ?? null,
      );
      if (!ok) ctx.log.error({ faults }, 'the ledger is inconsistent');
    },
  };
}
