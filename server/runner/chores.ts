import { type CronItem, type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import type { Context } from '../context.ts';
import type { Tasks } from '../queue.ts';
import { reconcile } from '../wallet/index.ts';
import { deliverWebhook } from '../webhooks/index.ts';
import { cleanUp } from './clean-up.ts';

const schedule = (task: keyof Tasks, match: string): CronItem => ({
  task,
  match,
  options: { jobKey: task, maxAttempts: 1 },
});

/** When the regular chores are done; once for all runners together. */
export const CRON: readonly ParsedCronItem[] = parseCronItems([
  schedule('clean-up', '*/10 * * * *'),
  schedule('reconcile', '7 * * * *'),
]);

/** Everything in the queue that is not a job of a user. */
export function choresOf(ctx: Context): TaskList {
  return {
    'deliver-webhook': ({ deliveryId }: Tasks['deliver-webhook']) => deliverWebhook(ctx, deliveryId),
    'clean-up': () => cleanUp(ctx),
    async reconcile() {
      const { ok, faults } = await reconcile(ctx.db);
      if (!ok) ctx.log.error({ faults }, 'the ledger does not add up');
    },
  };
}
