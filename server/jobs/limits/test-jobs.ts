import { and, eq, inArray } from 'drizzle-orm';
import { OperationError } from '../../../models/operation/errors.ts';
import { schema, type Tx } from '../../base/db.ts';

/** Unfinished jobs of a sandbox: they cost nothing, and take place and time from those that do. */
const TEST_JOBS_MAX = 20;

/** Bounds the unfinished jobs of a sandbox. @throws OperationError `too_many_requests` */
export async function assertTestJobs(tx: Tx, sandboxId: string): Promise<void> {
  const { jobs } = schema;
  const isUnfinished = and(eq(jobs.accountId, sandboxId), inArray(jobs.status, ['QUEUED', 'PROCESSING']));
  if ((await tx.$count(jobs, isUnfinished)) < TEST_JOBS_MAX) return;
  throw new OperationError(
    'too_many_requests',
    `At most ${TEST_JOBS_MAX} jobs of test keys may be unfinished. Wait for one to end.`,
  );
}
