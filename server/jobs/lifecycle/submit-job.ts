import { type SQL, sql } from 'drizzle-orm';
import type { Lane } from '../../../models/core/operation/job.ts';
import type { JobLabels } from '../../../models/core/operation/job-labels.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { OutputTargets } from '../../../models/core/operation/request.ts';
import type { RunPlace } from '../../../models/core/operation/run-place.ts';
import type { Context, SpendingSession } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { writeTogether } from '../../base/database/queries.ts';
import { queueing, waking } from '../../base/queue/index.ts';
import { inSpan, SPAN } from '../../base/tracer.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { reserve } from '../../money/spending/index.ts';
import type { JobRow, RequestFile } from '../queries/job-row.ts';
import { ITEM_FILES_MAX, insertItems, type SettledItem } from './batch-items.ts';
import { completeSubmittedJob } from './end-job.ts';
import { pendingExpiry } from './expiry.ts';
import { createFinalizers } from './finalize-job.ts';
import type { JobResult } from './job-result.ts';
import { newDelivery } from './output-deliveries.ts';
import { assertFreeJobs, assertSessionBudget } from './submission-limits.ts';

export interface Submission {
  readonly id: string;
  readonly actor: Actor;
  readonly modelId: string;
  readonly params: object;
  readonly facts: object;
  /** Lane of the run at the service. */
  readonly lane: Lane;
  /** Place of the run. Defaults to the service. */
  readonly place?: RunPlace;
  /** Price of the job if it completes; 0 holds nothing. */
  readonly price: MicroUsd;
  readonly files: readonly RequestFile[];
  /** Marks the job as a batch; these items need no run. */
  readonly settled?: readonly SettledItem[];
  readonly webhookUrl?: string;
  /** Labels of the request; absent where it has none. */
  readonly labels?: JobLabels;
  /** Seconds until no request waits for the result: then the job ends in ERROR without a charge. */
  readonly secondsMax?: number;
  /** Key under which {@link findCached} finds the result. */
  readonly cacheKey?: Buffer;
  /** Places where the client wants the result; the service alone keeps it when absent. */
  readonly targets?: OutputTargets;
  /** Lifetime of the result in hours, shorter than that of the service. */
  readonly resultTtlHours?: number | undefined;
  /** Earlier result that the job delivers again in place of a run. */
  readonly cachedResult?: JobRow['cachedResult'];
  /** Result with which the job completes at once, without a run. */
  readonly result?: JobResult;
}

/**
 * Accepts a job: job, input, queue entry, the key's spending and the wallet hold are written in one transaction, all
 * or nothing. A job whose result is known completes in it, and needs no queue entry. The wallet's row, which all jobs of an account share, is locked last and thus shortest.
 * @param alsoInTx further writes of the same transaction; done before the job's
 * @throws OperationError `insufficient_balance`; `too_many_requests` for too many free jobs; `unauthorized` when the
 *   account was deleted in the meantime
 */
export async function submitJob(
  ctx: Context,
  submission: Submission,
  alsoInTx?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id, modelId, lane, result } = submission;
  const attributes = { 'darkroom.request_id': id, 'darkroom.operation': modelId, 'darkroom.lane': lane };
  const finalizers = result && (await createFinalizers(ctx));
  await inSpan(
    ctx,
    SPAN.accept,
    ({ db, spendingSession }, span) =>
      db.transaction(async (tx) => {
        await writeJob(tx, submission, { traceparent: span?.traceparent, spendingSession }, alsoInTx);
        if (finalizers) await completeSubmittedJob(ctx, tx, id, result, finalizers);
      }),
    { kind: 'producer', attributes },
  );
}

/** Call that a job comes from. */
interface Origin {
  /** Span that accepts the job. */
  readonly traceparent: string | undefined;
  readonly spendingSession: SpendingSession | undefined;
}

async function writeJob(
  tx: Tx,
  submission: Submission,
  origin: Origin,
  alsoInTx?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id, actor, price, settled } = submission;
  const lane = submission.place === 'own' ? submission.place : submission.lane;
  await lockOpenAccount(tx, actor.accountId);
  await alsoInTx?.(tx);
  await assertFreeJobs(tx, submission);
  if (origin.spendingSession) await assertSessionBudget(tx, origin.spendingSession, price);
  const isQueued = submission.result === undefined;
  const writes = [
    insertJob(tx, submission, origin),
    ...insertFiles(tx, submission),
    ...(isQueued ? [queueing({ id, lane, accountId: actor.accountId })] : []),
  ];
  const notifications = isQueued ? [waking(lane)] : [];
  const { accountId, keyId, tokenId } = actor;
  const reservation = { accountId, keyId, tokenId, amount: price, reference: id };
  if (price > 0n && !settled) return await reserve(tx, reservation, { writes, notifications });
  await writeTogether(tx, { writes, notifications });
  if (settled) await insertItems(tx, id, settled);
  if (price > 0n) await reserve(tx, reservation);
}

function insertJob(
  tx: Tx,
  { id, actor, modelId, ...job }: Submission,
  { traceparent, spendingSession }: Origin,
): SQL {
  const row = {
    id,
    accountId: actor.accountId,
    keyId: actor.keyId,
    tokenId: actor.tokenId ?? null,
    isTest: actor.isTest,
    runOn: job.place ?? 'service',
    operationId: modelId,
    params: { ...job.params },
    facts: { ...job.facts },
    held: job.price,
    webhookUrl: job.webhookUrl ?? null,
    ...job.labels,
    cacheKey: job.cacheKey ?? null,
    cachedResult: job.cachedResult ?? null,
    outputDeliveries: (job.targets?.urls ?? []).map(newDelivery),
    resultTtlHours: job.resultTtlHours ?? null,
    isStored: job.targets?.isStored ?? true,
    traceparent: traceparent ?? null,
    spendingSession: spendingSession?.id ?? null,
    deadlineAt: job.secondsMax === undefined ? null : sql`now() + ${job.secondsMax} * interval '1 second'`,
  };
  return tx.insert(schema.jobs).values(row).getSQL();
}

/** Records the files of the request, and those of items that need no run. */
function insertFiles(tx: Tx, { id, files, settled = [] }: Submission): SQL[] {
  const outputs = settled.flatMap(({ position, files: made = [] }) =>
    made.map((file, at) => ({ ...file, role: 'output' as const, position: position * ITEM_FILES_MAX + at })),
  );
  const expiresAt = pendingExpiry();
  const rows = [...files, ...outputs].map((file) => ({ ...file, jobId: id, expiresAt }));
  return rows.length > 0 ? [tx.insert(schema.files).values(rows).getSQL()] : [];
}
