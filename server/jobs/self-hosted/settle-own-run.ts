import { type BatchParams, failItem } from '../../../models/core/operation/batch.ts';
import { responseBody } from '../../../models/core/operation/direct-response.ts';
import { type ErrorCode, fieldError } from '../../../models/core/operation/errors.ts';
import { ATTEMPTS_MAX, isTerminal, type JobStatus } from '../../../models/core/operation/job.ts';
import type { Json } from '../../../models/core/operation/json.ts';
import type { RunWarning } from '../../../models/core/runtime/run-warnings.ts';
import type { UsedWeights } from '../../../models/core/runtime/weight-card.ts';
import type { Context } from '../../base/context.ts';
import { renewLease } from '../../base/queue/index.ts';
import {
  completeJob,
  type DoneItem,
  deleteExpiredFiles,
  type Failure,
  failJob,
  findJob,
  type JobResult,
  listPartialOutputs,
  listSettledItems,
  queueOutputs,
  retryOwnJob,
  settleItem,
  summarizeBatch,
} from '../index.ts';
import { createConflict, type OwnAttempt } from './own-attempt.ts';
import { findRun, listExpectedFiles } from './store-output.ts';

/** Report of a worker on a run that has a result, whose files it has sent before. */
export interface OwnSuccess {
  readonly outcome: 'completed';
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
  readonly weights: readonly UsedWeights[];
  readonly details: Readonly<Record<string, Json>>;
  /** Duration of the run in milliseconds. */
  readonly processingMs: number;
}

/**
 * Report of a worker on a run without a result: `failed` by its input, `error` by a fault that another attempt would
 * meet, too, `retry` by a fault that it might not meet.
 */
export interface OwnFailure {
  readonly outcome: 'failed' | 'error' | 'retry';
  readonly code: ErrorCode;
  /** Sentence for the user. */
  readonly message: string;
  readonly field?: string | undefined;
}

/**
 * Settles a run as its worker reports it, and with the last run the job: in the same way as a runner does. May be
 * repeated after a lost response.
 * @param item position of the batch item; 0 for any other job
 * @returns the state of the job
 * @throws OperationError `bad_request` for a result that is not one of the operation, `conflict` when the claim is over
 */
export async function settleOwnRun(
  ctx: Context,
  own: OwnAttempt,
  item: number,
  report: OwnSuccess | OwnFailure,
): Promise<JobStatus> {
  const { job, attempt } = own;
  if (job.attempt !== attempt) throw createConflict(own);
  if (isTerminal(job.status)) {
    if (job.errorCode === 'canceled') throw createConflict(own);
    return job.status;
  }
  // A result that is on its way to the client's bucket has left the lane.
  if (!(await renewLease(ctx.db, own))) return await readStatus(ctx, own);
  const run = findRun(own, item);
  if (!run) throw fieldError('position', `the job has no run ${item}.`);
  if (own.isBatch) await settleBatchRun(ctx, own, item, report);
  else if (report.outcome === 'completed')
    await complete(ctx, own, await buildResult(ctx, own, item, report));
  else await fail(ctx, own, report);
  await deleteExpiredFiles(ctx, { jobId: own.id });
  return await readStatus(ctx, own);
}

async function readStatus(ctx: Context, own: OwnAttempt): Promise<JobStatus> {
  const job = await findJob(ctx.db, { accountId: own.job.accountId, id: own.id });
  if (!job || job.attempt !== own.attempt) throw createConflict({ ...own, job: job ?? own.job });
  return job.status;
}

/** Completes the job, or queues the delivery of its result, which then completes it. */
async function complete(ctx: Context, own: OwnAttempt, result: JobResult): Promise<void> {
  const hasDeliveries = own.job.outputDeliveries.length > 0;
  const isSettled = hasDeliveries
    ? await queueOutputs(ctx.db, own, result)
    : await completeJob(ctx, own, result);
  if (!isSettled) throw createConflict(own);
  ctx.log.info(
    { requestId: own.id, engine: result.engine, hasDeliveries },
    'a job ran on its account’s machine',
  );
}

/**
 * Builds the result of a run. Its files are those that the attempt has sent.
 * @throws OperationError `bad_request` when one is missing, or the operation has no such findings
 */
async function buildResult(
  { db }: Context,
  own: OwnAttempt,
  item: number,
  { engine, warnings, weights, processingMs, ...report }: OwnSuccess,
): Promise<JobResult> {
  const run = findRun(own, item);
  const expected = listExpectedFiles(own.operation, run?.facts ?? {}, run?.params);
  const sent = await listPartialOutputs(db, own.id, item);
  if (sent.length !== expected.length) {
    throw fieldError(
      'outcome',
      `${sent.length} of ${expected.length} files have arrived. Send the others first.`,
    );
  }
  const details = { ...report.details, processing_ms: processingMs };
  assertFindings(
    own,
    details,
    sent.map(({ name }) => name),
  );
  return { files: [], engine, warnings, weights, details };
}

function assertFindings(
  { operation: { response } }: OwnAttempt,
  details: Readonly<Record<string, Json>>,
  urls: readonly string[],
): void {
  if (!response) return;
  const processingMs = Number(details.processing_ms);
  const body = responseBody(response, { details, urls, processingMs, charged: 0n });
  const [issue] = response.schema.safeParse(body).error?.issues ?? [];
  if (issue) throw fieldError('details', `${issue.path.join('.')} is not what the operation finds.`);
}

async function fail(ctx: Context, own: OwnAttempt, report: OwnFailure): Promise<void> {
  if (mayRunAgain(own, report)) {
    await retryOwnJob(ctx.db, own);
    return;
  }
  if (!(await failJob(ctx, own, describeFailure(report)))) throw createConflict(own);
}

/** Reports whether another attempt at a job is due after a fault of its worker. */
function mayRunAgain({ job, operation, isBatch }: OwnAttempt, { outcome }: OwnSuccess | OwnFailure): boolean {
  const attemptsMax = isBatch ? ATTEMPTS_MAX : (operation.attemptsMax ?? ATTEMPTS_MAX);
  return outcome === 'retry' && job.attempt - job.uncountedAttempts < attemptsMax;
}

function describeFailure({ outcome, message, code, field }: OwnFailure): Failure {
  return { status: outcome === 'failed' ? 'FAILED' : 'ERROR', message, code, field };
}

async function settleBatchRun(
  ctx: Context,
  own: OwnAttempt,
  position: number,
  report: OwnSuccess | OwnFailure,
): Promise<void> {
  // The item stays open: once this worker has done the others, the next attempt runs it.
  if (mayRunAgain(own, report)) return;
  const { items } = own.job.params as unknown as BatchParams;
  const duplicates = items.find((item) => item.position === position)?.duplicates ?? [];
  const done = await describeItem(ctx, own, position, report);
  if (!(await settleItem(ctx.db, own, { ...done, duplicates }))) throw createConflict(own);
  const settled = new Set((await listSettledItems(ctx.db, own.id)).map((each) => each.position));
  if (!items.every((item) => settled.has(item.position))) return;
  await complete(ctx, own, await summarizeBatch(ctx.db, own.id, items));
}

async function describeItem(
  ctx: Context,
  own: OwnAttempt,
  position: number,
  report: OwnSuccess | OwnFailure,
): Promise<DoneItem> {
  if (report.outcome !== 'completed') {
    const prefix = report.outcome === 'failed' ? '' : 'processing_failed: ';
    const fault = { ...report, message: prefix + report.message };
    return { position, outcome: failItem(position, fault), files: [] };
  }
  const { engine, warnings, weights = [], details } = await buildResult(ctx, own, position, report);
  // These are the service's to say.
  const { cached: _cached, duplicate_of: _duplicate, ...findings } = { ...details };
  const sent = await listPartialOutputs(ctx.db, own.id, position);
  const files = sent.map(({ key, name, mediaType, bytes, sha256 }) => ({
    key,
    name,
    mediaType,
    bytes,
    sha256,
  }));
  return { position, outcome: { ...findings, status: 'success', engine, warnings, weights }, files };
}
