import { and, eq, ne, sql } from 'drizzle-orm';
import { schema, type Tx } from '../db.ts';
import { enqueueDelivery } from '../webhooks/index.ts';
import { tellEnd } from './await-end.ts';
import type { JobRow } from './job-row.ts';
import { outputsOf } from './outputs.ts';
import { jobView, type UrlOf } from './view.ts';

/**
 * What follows from any end of a job, in its transaction: what is no result may go, whoever waits is told, and the
 * webhook is queued.
 */
export async function announceEnd(tx: Tx, job: JobRow, urlOf: UrlOf): Promise<void> {
  const { files } = schema;
  // A batch that has not completed may have made some of its files.
  const isOver = job.status === 'COMPLETED' ? ne(files.role, 'output') : undefined;
  await Promise.all([
    tx
      .update(files)
      .set({ expiresAt: sql`now()` })
      .where(and(eq(files.jobId, job.id), isOver)),
    tellEnd(tx, job.id),
  ]);
  if (job.webhookUrl === null) return;
  await enqueueDelivery(tx, {
    accountId: job.accountId,
    reference: job.id,
    url: job.webhookUrl,
    body: JSON.stringify(jobView(job, await outputsOf(tx, job), urlOf)),
  });
}
