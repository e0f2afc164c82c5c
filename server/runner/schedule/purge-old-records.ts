import { purgeAuditEvents } from '../../audit/index.ts';
import { purgeSessions } from '../../auth/index.ts';
import type { Context } from '../../context.ts';
import { purgeJobs } from '../../jobs/index.ts';
import { purgeLoggedRequests } from '../../request-log/index.ts';
import { purgeEvents } from '../../stripe/index.ts';
import { purgeInvitations } from '../../team/index.ts';
import { purgeDeliveries } from '../../webhooks/index.ts';

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
