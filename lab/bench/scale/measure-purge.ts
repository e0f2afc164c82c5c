import type { Context } from '../../../server/base/context.ts';
import { PURGE_BATCH_ROWS } from '../../../server/base/database/queries.ts';
import { purgeDeliveries } from '../../../server/io/webhooks/index.ts';
import { purgeJobs } from '../../../server/jobs/index.ts';
import { timeMs } from '../measure.ts';

export interface PurgeCost {
  readonly name: string;
  readonly rows: number;
  /** Mean time of a step of 500 rows, in ms. */
  readonly stepMs: number;
}

/** Purges the jobs and deliveries of the 31st day. */
export async function measurePurge(ctx: Context): Promise<PurgeCost[]> {
  const env = { ...ctx.env, JOB_RETENTION_DAYS: 30, DELIVERY_RETENTION_DAYS: 30 };
  return [
    await measure('purge of deliveries', () => purgeDeliveries({ ...ctx, env })),
    await measure('purge of jobs', () => purgeJobs({ ...ctx, env })),
  ];
}

async function measure(name: string, purge: () => Promise<number>): Promise<PurgeCost> {
  let rows = 0;
  const tookMs = await timeMs(async () => {
    rows = await purge();
  });
  return { name, rows, stepMs: tookMs / Math.max(1, Math.ceil(rows / PURGE_BATCH_ROWS)) };
}
