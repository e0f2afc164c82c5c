import { and, eq } from 'drizzle-orm';
import { findForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import { type Executor, schema } from '../../base/database/db.ts';

/** Reason of an attempt that a test has forced to fail, whatever the receiver responded. */
export const FORCED_ERROR = 'counts as failed: the address of the input forces it in this test job.';

/** Pause after such an attempt. */
export const FORCED_PAUSE_MS = 5_000;

/** Reports whether the address of a test job's input forces the first delivery of its webhook to fail. */
export async function isForcedToFail(db: Executor, jobId: string): Promise<boolean> {
  const { files } = schema;
  const inputs = await db
    .select({ url: files.sourceUrl })
    .from(files)
    .where(and(eq(files.jobId, jobId), eq(files.role, 'input')));
  return inputs.some(({ url }) => url !== null && findForcedOutcome(url) === 'webhook-failed');
}
