import { and, eq, ne, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { removeEntry } from '../../base/queue/index.ts';
import { enqueueDelivery } from '../../io/webhooks/index.ts';
import { createReceiptSigner, type SignReceipt } from '../../money/receipts/index.ts';
import type { JobRow } from '../queries/job-row.ts';
import { createJobRenderer, type RenderJob } from '../queries/job-view.ts';
import { listOutputs } from '../queries/list-outputs.ts';
import { notifyJobEnded } from './await-job-end.ts';
import { describeReceipt } from './describe-receipt.ts';
import { withoutSignatures } from './output-deliveries.ts';

/** What turns an ended job into words for its owner. */
export interface Finalizers {
  readonly show: RenderJob;
  readonly sign: SignReceipt;
}

/** Prepares what ends jobs, before the transaction that does. */
export async function createFinalizers(ctx: Context): Promise<Finalizers> {
  const [show, sign] = await Promise.all([createJobRenderer(ctx), createReceiptSigner(ctx.db)]);
  return { show, sign };
}

/**
 * Finalizes an ended job in the same transaction: removes it from the queue, marks other files for deletion, signs the
 * receipt of a completed one, forgets the signatures of the client's URLs, wakes waiters and queues the webhook.
 */
export async function finalizeJob(tx: Tx, ended: JobRow, { show, sign }: Finalizers): Promise<void> {
  const { files, jobs } = schema;
  const isCompleted = ended.status === 'COMPLETED';
  const outputs = isCompleted || ended.webhookUrl !== null ? await listOutputs(tx, ended) : [];
  const receipt = isCompleted ? sign(await describeReceipt(tx, ended, outputs)) : null;
  const job = { ...ended, receipt, outputDeliveries: withoutSignatures(ended.outputDeliveries) };
  // A batch that has not completed may already have some of its files.
  const isOver = isCompleted ? ne(files.role, 'output') : undefined;
  await Promise.all([
    tx
      .update(files)
      .set({ expiresAt: sql`now()` })
      .where(and(eq(files.jobId, job.id), isOver)),
    (receipt !== null || job.outputDeliveries.length > 0) &&
      tx.update(jobs).set({ receipt, outputDeliveries: job.outputDeliveries }).where(eq(jobs.id, job.id)),
    removeEntry(tx, job.id),
    notifyJobEnded(tx, job.id),
  ]);
  if (job.webhookUrl === null) return;
  await enqueueDelivery(tx, {
    accountId: job.accountId,
    reference: job.id,
    url: job.webhookUrl,
    body: JSON.stringify(show(job, outputs)),
  });
}
