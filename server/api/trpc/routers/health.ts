import { readHealth } from '../../health/index.ts';
import { router, serviceOwnerProcedure } from '../procedures/init.ts';

export const healthRouter = router({
  /** The state of the whole service now: processes, queue, failures, deliveries, storage, models and settings. */
  overview: serviceOwnerProcedure.query(({ ctx: { ctx } }) => readHealth(ctx)),
});
