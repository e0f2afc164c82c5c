import { and, eq, ne, sql } from 'drizzle-orm';
import { schema, type Tx } from '../db.ts';
import { removeEntry } from '../queue/index.ts';
import { enqueueDelivery } from '../webhooks/index.ts';
import { notifyJobEnded } from './await-end.ts';
import type { JobRow } from './job-row.ts';
import { outputsOf } from './outputs.ts';
import type { ShowJob } from './view.ts';

/**
 * Finalizes an ended job in the same transaction: removes it from the queue, marks other files for deletion, wakes
 * waiters and queues the webhook.
 */
export async function finalizeJob(tx: Tx, job: JobRow, show: ShowJob): Promise<void> {
  const { files } = schema;
  // A batch that has not completed may already have some of its files.
  const isOver = job.status === 'COMPLETED' ? ne(files.role, 'output') : undefined;
  await Promise.all([
    tx
      .update(files)
      .set({ expiresAt: sql`now()` })
      .where(and(eq(files.jobId, job.id), isOver)),
    removeEntry(tx, job.id),
    notifyJobEnded(tx, job.id),
  ]);
  if (job.webhookUrl === null) return;
  await enqueueDelivery(tx, {
    accountId: job.accountId,
    reference: job.id,
    url: job.webhookUrl,
    body: JSON.stringify(show(job, await outputsOf(tx, job))),
  });
}
