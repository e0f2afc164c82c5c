import { and, asc, eq } from 'drizzle-orm';
import { type BatchOutcome, isBatchId } from '../../../models/operation/batch.ts';
import { type Executor, schema } from '../../base/db.ts';
import type { FileRow, JobRow } from './job-row.ts';

/** Output of a completed job: a file, or for a batch the outcome of an item and its file, if any. */
export interface Output {
  /** Order among the job's files, or of the item within its batch. */
  readonly position: number;
  readonly file: FileRow | null;
  readonly outcome: BatchOutcome | null;
}

/** Lists the outputs in order; none before the job has completed. */
export async function listOutputs(
  db: Executor,
  { id, status, operationId }: Pick<JobRow, 'id' | 'status' | 'operationId'>,
): Promise<readonly Output[]> {
  if (status !== 'COMPLETED') return [];
  if (isBatchId(operationId)) return await listItems(db, id);
  const { files } = schema;
  const outputs = await db
    .select()
    .from(files)
    .where(and(eq(files.jobId, id), eq(files.role, 'output')))
    .orderBy(asc(files.position));
  return outputs.map((file) => ({ position: file.position, file, outcome: null }));
}

async function listItems(db: Executor, jobId: string): Promise<Output[]> {
  const { files, batchItems } = schema;
  const items = await db
    .select({ position: batchItems.position, file: files, outcome: batchItems.outcome })
    .from(batchItems)
    .leftJoin(files, eq(files.key, batchItems.fileKey))
    .where(eq(batchItems.jobId, jobId))
    .orderBy(asc(batchItems.position));
  return items.map((item) => ({ ...item, outcome: item.outcome as BatchOutcome }));
}
