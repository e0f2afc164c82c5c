import { readHealth } from '../../health/index.ts';
import { ownerProcedure, router } from '../procedures/init.ts';

export const healthRouter = router({
  /** The state of the whole service now: processes, queue, failures, deliveries, storage, models and settings. */
  overview: ownerProcedure.query(({ ctx: { ctx } }) => readHealth(ctx)),
});
