import { and, asc, eq, sql } from 'drizzle-orm';
import { type BatchOutcome, isBatchId } from '../../../models/core/operation/batch.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import type { FileRow, JobRow } from './job-row.ts';

/** Output of a completed job: a file, or for a batch the outcome of an item and its files, if any. */
export interface Output {
  /** Order among the job's files, or of the item within its batch. */
  readonly position: number;
  /** In order. */
  readonly files: readonly FileRow[];
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
  return outputs.map(getOutput);
}

/** Returns the output that a file is. */
export function getOutput(file: FileRow): Output {
  return { position: file.position, files: [file], outcome: null };
}

async function listItems(db: Executor, jobId: string): Promise<Output[]> {
  const { files, batchItems } = schema;
  const isOwn = sql`${files.key} = any(array_prepend(${batchItems.fileKey}, ${batchItems.furtherFileKeys}))`;
  const rows = await db
    .select({ position: batchItems.position, file: files, outcome: batchItems.outcome })
    .from(batchItems)
    .leftJoin(files, isOwn)
    .where(eq(batchItems.jobId, jobId))
    .orderBy(asc(batchItems.position), asc(files.position));
  const items = new Map<number, { readonly position: number; files: FileRow[]; outcome: BatchOutcome }>();
  for (const { position, file, outcome } of rows) {
    const item = items.get(position) ?? { position, files: [], outcome: outcome as BatchOutcome };
    if (file) item.files.push(file);
    items.set(position, item);
  }
  return [...items.values()];
}
