import { and, asc, eq } from 'drizzle-orm';
import type { BatchOutcome } from '../../models/batch.ts';
import { type Executor, schema } from '../db.ts';
import type { FileRow, JobRow } from './job-row.ts';

/** What a completed job gave: a file, or with a batch what became of an item and its file, if there is one. */
export interface Output {
  readonly file: FileRow | null;
  readonly outcome: BatchOutcome | null;
}

/** In order; none before the job has completed. */
export async function outputsOf(
  db: Executor,
  { id, status }: Pick<JobRow, 'id' | 'status'>,
): Promise<readonly Output[]> {
  if (status !== 'COMPLETED') return [];
  const { files, batchItems } = schema;
  const items = await db
    .select({ file: files, outcome: batchItems.outcome })
    .from(batchItems)
    .leftJoin(files, eq(files.key, batchItems.fileKey))
    .where(eq(batchItems.jobId, id))
    .orderBy(asc(batchItems.position));
  if (items.length > 0) return items.map(({ file, outcome }) => ({ file, outcome: outcome as BatchOutcome }));
  const outputs = await db
    .select()
    .from(files)
    .where(and(eq(files.jobId, id), eq(files.role, 'output')))
    .orderBy(asc(files.position));
  return outputs.map((file) => ({ file, outcome: null }));
}
