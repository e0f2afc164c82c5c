import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchOutcome } from '../../../models/core/operation/batch.ts';
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

/** Lists the files of a job's result in order, or those of them that are wanted. */
export async function listOutputFiles(db: Executor, jobId: string, isWanted?: SQL): Promise<FileRow[]> {
  const { files } = schema;
  return await db
    .select()
    .from(files)
    .where(and(eq(files.jobId, jobId), eq(files.role, 'output'), isWanted))
    .orderBy(asc(files.position));
}

/** Returns the output that a file is. */
export function getOutput(file: FileRow): Output {
  return { position: file.position, files: [file], outcome: null };
}

/** Lists the outputs of a batch in order; none before it has completed. */
export async function listItems(
  db: Executor,
  { id, status }: Pick<JobRow, 'id' | 'status'>,
): Promise<readonly Output[]> {
  if (status !== 'COMPLETED') return [];
  const { files, batchItems } = schema;
  const isOwn = sql`${files.key} = any(array_prepend(${batchItems.fileKey}, ${batchItems.furtherFileKeys}))`;
  const rows = await db
    .select({ position: batchItems.position, file: files, outcome: batchItems.outcome })
    .from(batchItems)
    .leftJoin(files, isOwn)
    .where(eq(batchItems.jobId, id))
    .orderBy(asc(batchItems.position), asc(files.position));
  const items = new Map<number, { readonly position: number; files: FileRow[]; outcome: BatchOutcome }>();
  for (const { position, file, outcome } of rows) {
    const item = items.get(position) ?? { position, files: [], outcome: outcome as BatchOutcome };
    if (file) item.files.push(file);
    items.set(position, item);
  }
  return [...items.values()];
}
