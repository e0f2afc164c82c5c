import { and, eq, ne, sql } from 'drizzle-orm';
import { schema, type Tx } from '../../base/db.ts';
import { removeEntry } from '../../queue/index.ts';
import { enqueueDelivery } from '../../webhooks/index.ts';
import type { JobRow } from '../queries/job-row.ts';
import type { RenderJob } from '../queries/job-view.ts';
import { listOutputs } from '../queries/list-outputs.ts';
import { notifyJobEnded } from './await-job-end.ts';
import { withoutSignatures } from './output-deliveries.ts';

/**
 * Finalizes an ended job in the same transaction: removes it from the queue, marks other files for deletion, forgets the
 * signatures of the client's URLs, wakes waiters and queues the webhook.
 */
export async function finalizeJob(tx: Tx, job: JobRow, show: RenderJob): Promise<void> {
  const { files, jobs } = schema;
  // A batch that has not completed may already have some of its files.
  const isOver = job.status === 'COMPLETED' ? ne(files.role, 'output') : undefined;
  await Promise.all([
    tx
      .update(files)
      .set({ expiresAt: sql`now()` })
      .where(and(eq(files.jobId, job.id), isOver)),
    job.outputDeliveries.length > 0 &&
      tx
        .update(jobs)
        .set({ outputDeliveries: withoutSignatures(job.outputDeliveries) })
        .where(eq(jobs.id, job.id)),
    removeEntry(tx, job.id),
    notifyJobEnded(tx, job.id),
  ]);
  if (job.webhookUrl === null) return;
  await enqueueDelivery(tx, {
    accountId: job.accountId,
    reference: job.id,
    url: job.webhookUrl,
    body: JSON.stringify(show(job, await listOutputs(tx, job))),
  });
}
