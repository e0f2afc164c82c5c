import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { type BatchParams, isBatchId } from '../../../models/core/operation/batch.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import type { Writes } from '../../base/database/queries.ts';
import { removing } from '../../base/queue/index.ts';
import { announcing, delivering } from '../../io/webhooks/index.ts';
import {
  createReceiptSigner,
  type Receipt,
  type ReceiptFile,
  type SignReceipt,
} from '../../money/receipts.ts';
import type { FileRow, JobRow } from '../queries/job-row.ts';
import { createJobRenderer, type RenderJob } from '../queries/job-view.ts';
import type { Output } from '../queries/list-outputs.ts';
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

/** Files of a completed job, as its receipt names them. */
export interface FilesOfJob {
  /** Files of the request, in order. */
  readonly given: readonly GivenFile[];
  readonly outputs: readonly Output[];
}

type GivenFile = Pick<FileRow, 'role' | 'position'> & ReceiptFile;

/** Selects the files of the request of a job, in order. */
export function selectGivenFiles(): SQL<GivenFile[]> {
  const { jobs, files } = schema;
  return sql`(select coalesce(json_agg(json_build_object('role', role, 'position', position, 'name', name,
      'sha256', encode(sha256, 'hex'), 'bytes', bytes) order by role, position), '[]')
    from ${files} where ${files.jobId} = ${jobs}.id and role <> 'output')`;
}

/**
 * Returns the writes that finalize an ended job in the same transaction: they remove it from the queue, mark other files
 * for deletion, sign the receipt of a completed one, forget the signatures of the client's URLs, wake waiters and queue
 * the webhook.
 * @param completed files of a job that has completed
 */
export function finalizing(
  tx: Tx,
  ended: JobRow,
  { show, sign }: Finalizers,
  completed?: FilesOfJob,
): Writes {
  const { files, jobs } = schema;
  const receipt = completed ? sign(describeReceipt(ended, completed)) : null;
  const job = { ...ended, receipt, outputDeliveries: withoutSignatures(ended.outputDeliveries) };
  // A batch that has not completed may already have some of its files.
  const deletedFiles = completed ? ne(files.role, 'output') : undefined;
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
  const body = () => JSON.stringify(show(job, completed?.outputs ?? []));
  const told =
    url === null
      ? { writes: [], notifications: [announcing(accountId, reference)] }
      : delivering(tx, { accountId, reference, url, body: body() });
  return {
    writes: [expire.getSQL(), ...(hasNews ? [describe.getSQL()] : []), removing(job.id), ...told.writes],
    notifications: [tellingEnd(job.id), ...told.notifications],
  };
}

/**
 * Describes a completed job for its receipt. In a batch the names of files begin with their item:
 * `items[3].output.webp`.
 */
function describeReceipt(job: JobRow, { given, outputs }: FilesOfJob): Omit<Receipt, 'iss'> {
  const isBatch = isBatchId(job.operationId);
  const getName = (position: number, { name }: Pick<FileRow, 'name'>) =>
    isBatch ? `items[${position}].${name}` : name;
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
    inputs: given.map(({ role, position, ...file }) => ({
      ...file,
      name: role === 'input' ? getName(position, file) : file.name,
    })),
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
