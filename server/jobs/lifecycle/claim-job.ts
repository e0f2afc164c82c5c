import { and, eq, inArray, type SQL, sql, type WithSubquery } from 'drizzle-orm';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import {
  isEntryTaken,
  type LeaseQuery,
  leaseEntry,
  type QueueEntry,
  removeEndedEntry,
  removeEntry,
  selectWorkedSeconds,
  takingJobEntry,
} from '../../base/queue/index.ts';
import type { Attempt, JobRow, RequestFile } from '../queries/job-row.ts';
import { isOverdue } from './deadline.ts';
import { dropPartialOutputs } from './partial-outputs.ts';

type ClaimedFile = Pick<RequestFile, 'role' | 'position' | 'name' | 'key'> & {
  /** Name of the client's own file; null where none is known. */
  readonly fileName: string | null;
  /** URL that it was fetched from; null for any other file. */
  readonly sourceUrl: string | null;
};

/** Data that a runner needs for one attempt. */
export interface Claim extends Attempt {
  readonly accountId: string;
  readonly operationId: string;
  readonly isTest: boolean;
  readonly runOn: JobRow['runOn'];
  readonly params: unknown;
  /** Facts about its input, as of pricing. */
  readonly facts: object;
  /** Files of the request, by position. */
  readonly files: readonly ClaimedFile[];
  /** Whether the job is beyond its deadline: then it must not run, but end in ERROR. */
  readonly isOverdue: boolean;
  /** Number of this attempt among those that count, from 1: one that an outage or an orderly stop ended does not. */
  readonly countedAttempt: number;
  /** Time since the job was accepted in which no runner had it, by the database's clock. */
  readonly waitedSeconds: number;
  readonly acceptedAt: Date;
  /** Seconds since the first attempt that counts began; 0 where no runner holds the job, so that it waits. */
  readonly runSeconds: number;
  /** Whether the result goes to the client's own bucket before the job completes. */
  readonly hasDeliveries: boolean;
  /** Earlier result that the job delivers again in place of a run; null for any other job. */
  readonly cachedResult: JobRow['cachedResult'];
  /** Span that accepted the job, as a W3C traceparent; null without tracing. */
  readonly traceparent: string | null;
}

/**
 * Takes a due job for a runner, with its queue entry, and begins an attempt.
 * @returns undefined when another runner has it, or it has ended: then its entry is removed
 */
export async function claimQueuedJob(
  db: Db,
  entry: QueueEntry,
  workerId: string,
): Promise<Claim | undefined> {
  const { taken, turned } = takingJobEntry(entry, workerId);
  const parts = [db.$with('taken', {}).as(taken), db.$with('turned', {}).as(turned)];
  const claim = await claimJob(db, entry.id, { parts, condition: sql`exists (select from taken)` });
  if (!claim) await removeEndedEntry(db, entry.id, workerId);
  return claim;
}

/** Job that a self-hosted worker has taken. */
interface LeasedClaim {
  readonly claim: Claim;
  /** Keys of files of earlier attempts that belong to the job no more. */
  readonly droppedKeys: readonly string[];
}

/**
 * Takes the account's job that is due the longest for one of its self-hosted workers, and begins an attempt. What
 * earlier attempts have stored without a result is dropped.
 * @param worker name of the worker
 * @returns `ended` when the job had ended already: then its entry is removed; undefined when none is due
 */
export async function claimLeasedJob(
  db: Db,
  { worker, ...query }: LeaseQuery & { readonly worker: string },
): Promise<LeasedClaim | 'ended' | undefined> {
  return await db.transaction(async (tx) => {
    const id = await leaseEntry(tx, query);
    if (id === undefined) return undefined;
    const claim = await claimJob(tx, id, { worker });
    if (claim) return { claim, droppedKeys: await dropPartialOutputs(tx, id) };
    await removeEntry(tx, id);
    return 'ended';
  });
}

interface ClaimOptions {
  readonly worker?: string;
  readonly parts?: readonly WithSubquery[];
  readonly condition?: SQL;
}

/**
 * Begins an attempt at a job, as part of a transition; an earlier attempt that is still running is fenced out from here
 * on.
 * @param options.worker name of the self-hosted worker that makes it
 * @param options.parts further parts of the statement, for its condition
 * @returns undefined when the job has already ended, or the condition does not hold
 */
export async function claimJob(
  db: Executor,
  id: string,
  { worker, parts = [], condition }: ClaimOptions = {},
): Promise<Claim | undefined> {
  const { jobs } = schema;
  const [claim] = await db
    .with(...parts)
    .update(jobs)
    .set({
      ...(worker !== undefined && { worker }),
      status: 'PROCESSING',
      attempt: sql`${jobs.attempt} + 1`,
      startedAt: sql`coalesce(${jobs.startedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(jobs.id, id), inArray(jobs.status, ['QUEUED', 'PROCESSING']), condition))
    .returning({
      id: jobs.id,
      attempt: jobs.attempt,
      accountId: jobs.accountId,
      operationId: jobs.operationId,
      isTest: jobs.isTest,
      runOn: jobs.runOn,
      params: jobs.params,
      facts: jobs.facts,
      files: selectRequestFiles(),
      isOverdue: isOverdue(),
      countedAttempt: sql<number>`${jobs.attempt} - ${jobs.uncountedAttempts}`,
      waitedSeconds: selectWaitedSeconds(),
      acceptedAt: jobs.createdAt,
      runSeconds: selectRunSeconds(),
      hasDeliveries: sql<boolean>`${jobs.outputDeliveries} <> '[]'::jsonb`,
      cachedResult: jobs.cachedResult,
      traceparent: jobs.traceparent,
    });
  return claim;
}

function selectRunSeconds(): SQL<number> {
  const { id, startedAt } = schema.jobs;
  // The column holds milliseconds: rounded up, it lies after the transaction that writes it.
  return sql`case when ${isEntryTaken(id)} then greatest(0, extract(epoch from now() - ${startedAt}))::float8 else 0 end`;
}

function selectWaitedSeconds(): SQL<number> {
  const { id, createdAt } = schema.jobs;
  return sql`(extract(epoch from now() - ${createdAt}) - ${selectWorkedSeconds(id)})::float8`;
}

function selectRequestFiles(): SQL<ClaimedFile[]> {
  const { jobs, files } = schema;
  return sql`(select coalesce(json_agg(json_build_object('role', role, 'position', position, 'name', name, 'key', key,
      'fileName', file_name, 'sourceUrl', source_url)
    order by role, position), '[]') from ${files} where ${files.jobId} = ${jobs}.id and role <> 'output')`;
}
