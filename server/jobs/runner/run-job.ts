import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findModel } from '../../../models/core/operation/batch.ts';
import { type ErrorCode, OperationError } from '../../../models/core/operation/errors.ts';
import { ATTEMPTS_MAX } from '../../../models/core/operation/job.ts';
import type { Context } from '../../base/context.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { findOutage, OutageError } from '../../base/outage.ts';
import type { QueueEntry } from '../../base/queue/index.ts';
import { startTouching } from '../../base/remove-stale.ts';
import { retryOnOutage } from '../../base/retry-on-outage.ts';
import { combineSignals } from '../../base/signals.ts';
import { inSpan, SPAN, type Span } from '../../base/tracer.ts';
import {
  type Attempt,
  type Claim,
  claimQueuedJob,
  completeJob,
  deleteExpiredFiles,
  deleteFiles,
  describeLongWait,
  type Failure,
  failJob,
  type JobResult,
  OVERDUE,
  queueOutputs,
  requeueJob,
} from '../index.ts';
import { executeClaim } from './execute-claim.ts';
import { type AttemptOutcome, describeServerFailure, type LaneReservation } from './job-attempt.ts';
import { RUN_DEPENDENCIES, type RunnerDeps } from './run-in-child.ts';

/** Claim of a job for this runner. */
export interface StartedClaim {
  readonly claim: Claim;
  /** Unix time when the claim began. */
  readonly startMs: number;
}

/**
 * Takes a due job from the queue for an attempt of this runner.
 * @returns undefined when there is nothing to run
 */
export async function startJob(
  { ctx, workerId }: Pick<RunnerDeps, 'ctx' | 'workerId'>,
  entry: QueueEntry,
): Promise<StartedClaim | undefined> {
  const startMs = Date.now();
  const claim = await claimQueuedJob(ctx.db, entry, workerId);
  return claim && { claim, startMs };
}

/**
 * Makes an attempt at a claimed job. It returns when the job has ended, and thus left the queue, and when the attempt
 * has given the job back.
 * @param reserved slot and memory for its run; without, the run waits for them
 * @throws when the job could not be given back: it is still this runner's
 */
export async function runJob(
  deps: RunnerDeps,
  { claim, startMs }: StartedClaim,
  reserved?: LaneReservation,
): Promise<void> {
  const attempted = inAttemptSpan(deps.ctx, claim, startMs, async (ctx, span) => {
    const traceId = span && { traceId: span.traceId };
    const log = ctx.log.child({ ...traceId, requestId: claim.id, attempt: claim.attempt });
    await runAttempt({ ...deps, ctx: { ...ctx, log } }, claim, { reserved, span }).catch(
      (thrown: unknown) => {
        throw findOutage(thrown) ?? thrown;
      },
    );
  });
  await attempted.catch((reason: unknown) => requeue(deps, claim, reason));
}

/** Gives back a job that its attempt has not ended. An outage or an orderly stop makes the attempt not count. */
async function requeue(deps: RunnerDeps, claim: Claim, reason: unknown): Promise<void> {
  const { ctx, breakers, signal, uncountedAttempts, workerId } = deps;
  const isOutage = reason instanceof OutageError;
  if (isOutage) breakers.recordFailure(reason.dependency);
  const isCounted = !isOutage && reason !== REQUEUED;
  const hasFailed = !signal.aborted && reason !== FENCED;
  // No retry helps before this process is started with the key.
  const level = isOutage && reason.dependency === 'secrets key' ? 'error' : 'debug';
  ctx.log[level](
    { err: reason, requestId: claim.id, attempt: claim.attempt },
    'an attempt gives its job back',
  );
  try {
    await requeueJob(ctx.db, claim, workerId, { isCounted, hasFailed });
  } catch (err) {
    if (!isCounted) uncountedAttempts.add(claim);
    throw err;
  }
}

/** Runs that an orderly stop aborts. */
const REQUEUED = new Error('aborted, since the runner stops');

/** Attempts whose job has ended, or is another attempt's. */
const FENCED = new Error('fenced by a later attempt or the end of its job');

async function runAttempt(
  deps: RunnerDeps,
  claim: Claim,
  { reserved, span }: { readonly reserved: LaneReservation | undefined; readonly span: Span | undefined },
): Promise<void> {
  const { ctx } = deps;
  const { id } = claim;
  if (claim.isOverdue) return await fail(ctx, claim, OVERDUE);
  if (claim.waitedSeconds > ctx.env.JOB_DEADLINE_HOURS * 3600)
    return await fail(ctx, claim, describeLongWait(claim));
  if (claim.countedAttempt > ATTEMPTS_MAX)
    return await fail(ctx, claim, serverFailure('the run was interrupted too often', 'interrupted'));

  const directory = await makeRunDirectory(ctx, id);
  const endTouching = startTouching(directory);
  const fence = deps.fences.watch(claim);
  const stop = combineSignals(deps.signal, fence.signal);
  let expired: readonly string[] | undefined;
  try {
    const product = await executeClaim({ ...deps, signal: stop.signal }, claim, directory, reserved).catch(
      (err: unknown): AttemptOutcome => {
        const outage = findOutage(err);
        if (outage) return { next: 'wait', outage };
        ctx.log.error({ err }, 'a run could not be carried out');
        return { next: 'retry', ...publicReason(err) };
      },
    );
    span?.set({ 'darkroom.outcome': product.next });
    if (fence.signal.aborted && product.next === 'requeue') {
      ctx.log.info('an attempt was fenced, and its run ended');
      throw FENCED;
    }
    await settle(deps, claim, product);
    // A job that has completed needs its input no more; any other may have left more behind.
    if (product.next === 'complete' && !claim.hasDeliveries) expired = claim.files.map(({ key }) => key);
  } finally {
    stop.end();
    fence.end();
    endTouching();
    await rm(directory, { recursive: true, force: true });
  }
  if (expired) await deleteFiles(ctx, expired);
  else await deleteExpiredFiles(ctx, { jobId: id });
}

/** Returns the folder where running attempts keep their files. */
export function runsDirectory(ctx: Context): string {
  return join(ctx.env.DATA_DIR, 'runs');
}

async function makeRunDirectory(ctx: Context, id: string): Promise<string> {
  await mkdir(runsDirectory(ctx), { recursive: true, mode: OWNER_ONLY.folder });
  return await mkdtemp(join(runsDirectory(ctx), `${id}-`));
}

function getAttemptsMax({ operations }: RunnerDeps, { operationId }: Claim): number {
  const model = findModel(operations, operationId);
  return (model?.isBatch ? undefined : model?.operation.attemptsMax) ?? ATTEMPTS_MAX;
}

async function settle(deps: RunnerDeps, attempt: Claim, product: AttemptOutcome): Promise<void> {
  const { ctx, breakers } = deps;
  switch (product.next) {
    case 'complete':
      breakers.recordSuccess(RUN_DEPENDENCIES);
      return await complete(ctx, attempt, product.result);
    case 'fail': {
      const { message, code, field } = product;
      return await fail(ctx, attempt, { status: 'FAILED', message, code, field });
    }
    case 'run-again':
      return await fail(ctx, attempt, { status: 'FAILED', message: product.message, code: product.code });
    case 'give-up': {
      const failure = serverFailure(product.reason, product.code);
      return await fail(ctx, attempt, { ...failure, field: product.field });
    }
    case 'retry':
      if (attempt.countedAttempt >= getAttemptsMax(deps, attempt))
        return await fail(ctx, attempt, serverFailure(product.reason, product.code));
      throw new Error(product.reason);
    case 'wait':
      ctx.log.warn({ err: product.outage }, 'a run waits for the end of an outage');
      throw product.outage;
    case 'requeue':
      throw REQUEUED;
  }
}

/** Completes a job, or queues the delivery of its result to the client's bucket, which then completes it. */
async function complete(ctx: Context, claim: Claim, result: JobResult): Promise<void> {
  const end = () =>
    claim.hasDeliveries ? queueOutputs(ctx.db, claim, result) : completeJob(ctx, claim, result);
  if (await inSpan(ctx, SPAN.end, () => retryOnOutage(end))) {
    const message = claim.hasDeliveries ? 'a result waits for its delivery' : 'job completed';
    return ctx.log.info({ engine: result.engine }, message);
  }
  await Promise.allSettled(result.files.map(({ key }) => ctx.storage.delete(key)));
  throw FENCED;
}

async function fail(ctx: Context, attempt: Attempt, failure: Failure): Promise<void> {
  const write = () => retryOnOutage(() => failJob(ctx, attempt, failure));
  if (!(await inSpan(ctx, SPAN.end, write))) throw FENCED;
  ctx.log.info(failure, 'job ended without a result');
}

/** Returns the public reason of a fault on our side: the unavailable part, or nothing about internals. */
function publicReason(thrown: unknown): { reason: string; code: ErrorCode } {
  return thrown instanceof OperationError && thrown.code === 'unavailable'
    ? { reason: thrown.message, code: thrown.code }
    : { reason: 'an internal error ended the run', code: 'internal' };
}

function serverFailure(reason: string, code: ErrorCode): Failure {
  return { status: 'ERROR', message: describeServerFailure(reason), code };
}

/**
 * Makes an attempt at a claimed job within its span, below the one that accepted the job. Its wait and the claim are
 * known only now: their spans are written after the fact.
 * @param startMs Unix time when the claim began
 */
async function inAttemptSpan(
  ctx: Context,
  claim: Claim,
  startMs: number,
  work: (ctx: Context, span: Span | undefined) => Promise<void>,
): Promise<void> {
  const parent = claim.traceparent;
  if (claim.attempt === 1 && parent !== null) {
    // The clocks of database and runner may differ.
    const acceptedMs = Math.min(claim.acceptedAt.getTime(), startMs);
    ctx.tracer?.start(SPAN.wait, { parent, startMs: acceptedMs }).end(startMs);
  }
  const { id, operationId, attempt } = claim;
  const attempted = async (inner: Context, span: Span | undefined) => {
    span?.start(SPAN.claim, { startMs }).end();
    await work(inner, span);
  };
  await inSpan(ctx, SPAN.attempt, attempted, {
    kind: 'consumer',
    parent,
    startMs,
    attributes: {
      'darkroom.request_id': id,
      'darkroom.operation': operationId,
      'darkroom.attempt': attempt,
    },
  });
}
