import { and, eq, ne, sql } from 'drizzle-orm';
import { type BatchParams, findModel } from '../../../models/core/operation/batch.ts';
import { ATTEMPTS_MAX } from '../../../models/core/operation/job.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { type Db, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { WORKERS } from '../../base/queue/index.ts';
import {
  type Claim,
  claimLeasedJob,
  deleteExpiredFiles,
  describeLongWait,
  type Failure,
  failJob,
  LEFT_TOO_OFTEN,
  listSettledItems,
  OVERDUE,
} from '../index.ts';

/** Machine of an account that asks for its jobs. */
interface SelfHostedWorker {
  readonly name: string;
  /** Time at which it asked for a job or reported on one, in the form of ISO 8601. */
  readonly last_seen_at: string;
  /** request_ids of the jobs that it runs. */
  readonly jobs: readonly string[];
}

type FileRow = typeof schema.files.$inferSelect;

/** Run of a claimed job: its only one, or that of a batch item. */
export interface OwnRun {
  /** Position of the batch item; 0 for any other job. */
  readonly position: number;
  readonly params: unknown;
  readonly input: FileRow;
  /** Files by param name. */
  readonly attachments: Readonly<Record<string, FileRow>>;
}

/** Job that an account's own worker has taken. */
export interface OwnClaim {
  readonly claim: Claim;
  /** Operation of each run. */
  readonly operationId: string;
  /** Runs that no earlier attempt has settled. */
  readonly runs: readonly OwnRun[];
}

export interface ClaimRequest {
  readonly accountId: string;
  /** Models of jobs that the worker takes. */
  readonly modelIds: readonly string[];
  /** Name of the worker. */
  readonly worker: string;
}

/**
 * Takes the account's job that has waited the longest for one of its self-hosted workers. A job that may not run any more ends
 * here, as it would at a runner.
 * @returns undefined when none is due
 */
export async function claimOwnJob(ctx: Context, request: ClaimRequest): Promise<OwnClaim | undefined> {
  for (;;) {
    const leased = await claimLeasedJob(ctx.db, request);
    if (leased === undefined) return undefined;
    if (leased === 'ended') continue;
    const { claim, droppedKeys } = leased;
    // Those that stay are deleted with other orphans.
    await Promise.allSettled(droppedKeys.map((key) => ctx.storage.delete(key)));
    const failure = describeRefusal(ctx, claim);
    if (!failure) return await describeClaim(ctx, claim);
    await failJob(ctx, claim, failure);
    await deleteExpiredFiles(ctx, { jobId: claim.id });
  }
}

function describeRefusal({ env }: Context, claim: Claim): Failure | undefined {
  if (claim.isOverdue) return OVERDUE;
  if (claim.waitedSeconds > env.JOB_DEADLINE_HOURS * 3600) return describeLongWait(claim);
  return claim.countedAttempt > ATTEMPTS_MAX ? LEFT_TOO_OFTEN : undefined;
}

async function describeClaim(ctx: Context, claim: Claim): Promise<OwnClaim> {
  const { files } = schema;
  const model = findModel(getOperations(ctx), claim.operationId);
  if (!model) throw new Error(`${claim.operationId} is not known here`);
  const given = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.jobId, claim.id), ne(files.role, 'output')));
  const fileAt = (role: FileRow['role'], position: number): FileRow => {
    const file = given.find((each) => each.role === role && each.position === position);
    if (!file) throw new Error(`${claim.id} lacks its ${role} ${position}`);
    return file;
  };
  const operationId = model.operation.id;
  if (!model.isBatch) {
    const attachments = given.filter(({ role }) => role === 'attachment').map((file) => [file.name, file]);
    const run = { position: 0, params: claim.params, input: fileAt('input', 0) };
    return { claim, operationId, runs: [{ ...run, attachments: Object.fromEntries(attachments) }] };
  }
  const settled = new Set((await listSettledItems(ctx.db, claim.id)).map(({ position }) => position));
  const { items } = claim.params as BatchParams;
  const runs = items
    .filter(({ position }) => !settled.has(position))
    .map(({ position, params, attachments }): OwnRun => {
      const attached = Object.entries(attachments).map(([name, at]) => [name, fileAt('attachment', at)]);
      return {
        position,
        params,
        input: fileAt('input', position),
        attachments: Object.fromEntries(attached),
      };
    });
  return { claim, operationId, runs };
}

/** Lists the machines of an account that were seen within a week, the latest first. */
export async function listWorkers(
  { db }: { readonly db: Db },
  accountId: string,
): Promise<SelfHostedWorker[]> {
  const rows = await db.execute<{ name: string; seen: Date | string; jobs: string[] }>(
    readOnly(sql`
    select w.name, greatest(w.last_seen_at, max(j.updated_at)) as seen,
      coalesce(json_agg(j.id order by j.id) filter (where j.id is not null), '[]') as jobs
    from self_hosted_workers w left join (
      jobs j join queue_entries e on e.id = j.id and e.lane = 'own' and e.locked_by is not null
    ) on j.account_id = w.account_id and j.worker = w.name and j.status = 'PROCESSING'
    where w.account_id = ${accountId}::uuid
      and (w.last_seen_at > now() - ${WORKERS.days}::int * interval '1 day' or j.id is not null)
    group by w.name, w.last_seen_at order by seen desc, w.name`),
  );
  return rows.map(({ name, seen, jobs }) => ({ name, last_seen_at: new Date(seen).toISOString(), jobs }));
}
