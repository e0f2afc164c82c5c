import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import type { RunPlace } from '../../../models/core/operation/run-place.ts';
import type { SpendingSession } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';

/** Unfinished jobs of a sandbox: they cost nothing, and take place and time from those that do. */
const TEST_JOBS_MAX = 20;

/** Unfinished jobs that an account leaves to its own machines: free, too, and they take place in database and store. */
const OWN_JOBS_MAX = 1000;

interface FreeJob {
  readonly actor: { readonly accountId: string; readonly isTest: boolean };
  readonly place?: RunPlace;
}

const { jobs } = schema;

/**
 * Checks that a session may spend an amount besides what its jobs have cost or hold. Failed jobs count for nothing.
 * Other jobs of the session wait until the transaction ends, so that two cannot spend the same rest.
 * @throws OperationError `insufficient_balance` when the limit would be exceeded
 */
export async function assertSessionBudget(
  tx: Tx,
  { id, limit }: SpendingSession,
  amount: MicroUsd,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`);
  const ofJob = sql`case when ${jobs.status} = 'COMPLETED' then ${jobs.charged} else ${jobs.held} end`;
  const [row] = await tx
    .select({ spent: sql<string>`coalesce(sum(${ofJob}), 0)` })
    .from(jobs)
    .where(and(eq(jobs.spendingSession, id), notInArray(jobs.status, ['FAILED', 'ERROR'])));
  const left = limit - BigInt(row?.spent ?? 0);
  if (amount <= left) return;
  throw new OperationError(
    'insufficient_balance',
    `The spending limit of this session, ${formatUsd(limit)} USD, leaves ${formatUsd(left > 0n ? left : 0n)} USD, and this costs ${formatUsd(amount)} USD.`,
  );
}

/** Bounds the unfinished jobs of an account that cost nothing. @throws OperationError `too_many_requests` */
export async function assertFreeJobs(tx: Tx, { actor, place = 'service' }: FreeJob): Promise<void> {
  if (actor.isTest) await assertUnfinished(tx, actor.accountId, 'service', TEST_JOBS_MAX);
  else if (place === 'own') await assertUnfinished(tx, actor.accountId, place, OWN_JOBS_MAX);
}

async function assertUnfinished(tx: Tx, accountId: string, place: RunPlace, jobsMax: number): Promise<void> {
  const { jobs } = schema;
  const isUnfinished = inArray(jobs.status, ['QUEUED', 'PROCESSING']);
  const count = await tx.$count(
    jobs,
    and(eq(jobs.accountId, accountId), isUnfinished, eq(jobs.runOn, place)),
  );
  if (count < jobsMax) return;
  const kind = place === 'own' ? 'jobs for your own machines' : 'jobs of test keys';
  throw new OperationError(
    'too_many_requests',
    `At most ${jobsMax} ${kind} may be unfinished. Wait for one to end.`,
  );
}
