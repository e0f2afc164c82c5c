import { and, eq, inArray } from 'drizzle-orm';
import type { Lane } from '../../../models/operation/lane.ts';
import { type Db, schema } from '../../base/db.ts';
import { enqueue } from '../../queue/index.ts';
import type { RunDescription } from './find-run-description.ts';

/**
 * Queues a job that an earlier version has queued elsewhere; does nothing once it has ended.
 * @param laneOf returns the lane of its run
 */
export async function requeueJob(db: Db, id: string, laneOf: (run: RunDescription) => Lane): Promise<void> {
  const { jobs } = schema;
  await db.transaction(async (tx) => {
    const [job] = await tx
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, id), inArray(jobs.status, ['QUEUED', 'PROCESSING'])))
      .for('share');
    if (job) await enqueue(tx, { id, lane: laneOf(job), accountId: job.accountId });
  });
}
