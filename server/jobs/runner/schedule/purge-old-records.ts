import type { Context } from '../../../base/context/context.ts';
import { purgeAuditEvents } from '../../../identity/audit/index.ts';
import { purgeSessions } from '../../../identity/auth/index.ts';
import { purgeLoggedRequests } from '../../../identity/request-log/index.ts';
import { purgeInvitations } from '../../../identity/team/index.ts';
import { purgeDeliveries } from '../../../io/webhooks/index.ts';
import { purgeEvents } from '../../../money/stripe/index.ts';
import { purgeJobs } from '../../index.ts';

/** Deletes expired jobs and webhook deliveries, and what else is kept for a time. */
export async function purgeOldRecords(ctx: Context): Promise<void> {
  const deliveries = await purgeDeliveries(ctx);
  const jobs = await purgeJobs(ctx);
  await purgeEvents(ctx);
  await purgeAuditEvents(ctx);
  await purgeSessions(ctx);
  await purgeInvitations(ctx);
  await purgeLoggedRequests(ctx);
  if (jobs + deliveries > 0) ctx.log.info({ jobs, deliveries }, 'purged');
}
