import { and, asc, eq, ne } from 'drizzle-orm';
import type { BatchParams } from '../../../models/core/operation/batch.ts';
import { isBatchId } from '../../../models/core/operation/batch.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import type { Receipt, ReceiptFile } from '../../money/receipts/index.ts';
import type { FileRow, JobRow } from '../queries/job-row.ts';
import type { Output } from '../queries/list-outputs.ts';

/**
 * Describes a completed job for its receipt. In a batch the names of files begin with their item:
 * `items[3].output.webp`.
 * @param outputs in order
 */
export async function describeReceipt(tx: Tx, job: JobRow, outputs: readonly Output[]): Promise<Receipt> {
  const { files } = schema;
  const given = await tx
    .select()
    .from(files)
    .where(and(eq(files.jobId, job.id), ne(files.role, 'output')))
    .orderBy(asc(files.role), asc(files.position));
  const isBatch = isBatchId(job.operationId);
  const nameOf = (position: number, { name }: FileRow) => (isBatch ? `items[${position}].${name}` : name);
  const made = outputs.flatMap(({ position, files }) =>
    files.map((file) => [file.key, describeFile(nameOf(position, file), file)] as const),
  );
  return {
    request_id: job.id,
    model_id: job.operationId,
    engine: job.engine,
    weights: job.weights.map(({ id, sha256 }) => ({ id, sha256 })),
    params: isBatch ? describeItems(job) : job.params,
    inputs: given.map((file) =>
      describeFile(file.role === 'input' ? nameOf(file.position, file) : file.name, file),
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
