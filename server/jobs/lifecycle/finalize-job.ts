import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { type BatchParams, isBatchId } from '../../../models/core/operation/batch.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { writeTogether } from '../../base/database/queries.ts';
import { removing } from '../../base/queue/index.ts';
import { announcing, delivering } from '../../io/webhooks/index.ts';
import {
  createReceiptSigner,
  type Receipt,
  type ReceiptFile,
  type SignReceipt,
} from '../../money/receipts/index.ts';
import type { FileRow, JobRow } from '../queries/job-row.ts';
import { createJobRenderer, type RenderJob } from '../queries/job-view.ts';
import { getOutput, listOutputs, type Output } from '../queries/list-outputs.ts';
import { tellingEnd } from './await-job-end.ts';
import { withoutSignatures } from './output-deliveries.ts';

/** What turns an ended job into words for its owner. */
export interface Finalizers {
  readonly show: RenderJob;
  readonly sign: SignReceipt;
}

/** Prepares what ends jobs, before the transaction that does. */
export async function createFinalizers(ctx: Context): Promise<Finalizers> {
  const [show, sign] = await Promise.all([
    createJobRenderer(ctx),
    createReceiptSigner(ctx.db, ctx.env.PUBLIC_URL),
  ]);
  return { show, sign };
}

/**
 * Finalizes an ended job in the same transaction: removes it from the queue, marks other files for deletion, signs the
 * receipt of a completed one, forgets the signatures of the client's URLs, wakes waiters and queues the webhook.
 */
export async function finalizeJob(tx: Tx, ended: JobRow, { show, sign }: Finalizers): Promise<void> {
  const { files, jobs } = schema;
  const isCompleted = ended.status === 'COMPLETED';
  const { given, outputs } = isCompleted ? await listFiles(tx, ended) : { given: [], outputs: [] };
  const receipt = isCompleted ? sign(describeReceipt(ended, given, outputs)) : null;
  const job = { ...ended, receipt, outputDeliveries: withoutSignatures(ended.outputDeliveries) };
  // A batch that has not completed may already have some of its files.
  const deletedFiles = isCompleted ? ne(files.role, 'output') : undefined;
  const expire = tx
    .update(files)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(files.jobId, job.id), deletedFiles));
  const describe = tx
    .update(jobs)
    .set({ receipt, outputDeliveries: job.outputDeliveries })
    .where(eq(jobs.id, job.id));
  const hasNews = receipt !== null || job.outputDeliveries.length > 0;
  const { webhookUrl: url, accountId, id: reference } = job;
  const told =
    url === null
      ? { writes: [], notifications: [announcing(accountId, reference)] }
      : delivering(tx, { accountId, reference, url, body: JSON.stringify(show(job, outputs)) });
  const writes = [expire.getSQL(), ...(hasNews ? [describe.getSQL()] : []), removing(job.id), ...told.writes];
  await writeTogether(tx, writes, [tellingEnd(job.id), ...told.notifications]);
}

/** Lists the files of the request of a completed job, and its outputs, both in order. */
async function listFiles(
  tx: Tx,
  job: JobRow,
): Promise<{ readonly given: readonly FileRow[]; readonly outputs: readonly Output[] }> {
  const { files } = schema;
  const isBatch = isBatchId(job.operationId);
  const rows = await tx
    .select()
    .from(files)
    .where(and(eq(files.jobId, job.id), isBatch ? ne(files.role, 'output') : undefined))
    .orderBy(asc(files.role), asc(files.position));
  return {
    given: rows.filter(({ role }) => role !== 'output'),
    outputs: isBatch
      ? await listOutputs(tx, job)
      : rows.filter(({ role }) => role === 'output').map((file) => getOutput(file)),
  };
}

/**
 * Describes a completed job for its receipt. In a batch the names of files begin with their item:
 * `items[3].output.webp`.
 * @param given files of the request, in order
 * @param outputs in order
 */
function describeReceipt(
  job: JobRow,
  given: readonly FileRow[],
  outputs: readonly Output[],
): Omit<Receipt, 'iss'> {
  const isBatch = isBatchId(job.operationId);
  const getName = (position: number, { name }: FileRow) => (isBatch ? `items[${position}].${name}` : name);
  const made = outputs.flatMap(({ position, files }) =>
    files.map((file) => [file.key, describeFile(getName(position, file), file)] as const),
  );
  return {
    ...(job.isTest && { test: true }),
    request_id: job.id,
    model_id: job.operationId,
    engine: job.engine,
    weights: job.weights.map(({ id, sha256 }) => ({ id, sha256 })),
    params: isBatch ? describeItems(job) : job.params,
    inputs: given.map((file) =>
      describeFile(file.role === 'input' ? getName(file.position, file) : file.name, file),
    ),
    // Items of a batch that repeat another one share its files.
    outputs: [...new Map(made.toReversed()).values()].toReversed(),
    charged_usd: formatUsd(job.charged),
    created_at: job.createdAt.toISOString(),
    completed_at: (job.completedAt ?? job.updatedAt).toISOString(),
    ...(job.runOn === 'own' && { run_on: job.runOn }),
  };
}

function describeFile(name: string, { sha256, bytes }: FileRow): ReceiptFile {
  return { name, sha256: sha256.toString('hex'), bytes };
}

/** Lists the params of the items that ran. */
function describeItems({ params }: JobRow): object {
  const { items = [] } = params as Partial<BatchParams>;
  return { items: items.map(({ position, params }) => ({ position, params })) };
}
