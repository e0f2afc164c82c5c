import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findModel } from '../../../models/operation/batch.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import { ATTEMPTS_MAX } from '../../../models/operation/job.ts';
import { combineSignals } from '../../base/combine-signals.ts';
import { startTouching } from '../../base/remove-stale.ts';
import type { Context } from '../../context.ts';
import {
  type Attempt,
  type Claim,
  claimJob,
  completeJob,
  DEADLINE_EXCEEDED,
  deleteExpiredFiles,
  type Failure,
  type FailureCode,
  failJob,
  type JobResult,
  releaseAttempt,
} from '../../jobs/index.ts';
import { removeEntry } from '../../queue/index.ts';
import { inSpan, SPAN, type Span } from '../../tracing/index.ts';
import { inAttemptSpan } from './attempt-span.ts';
import { executeClaim } from './execute-claim.ts';
import { type AttemptOutcome, describeServerFailure, type LaneReservation } from './job-attempt.ts';
import { retryOnOutage } from './retry-on-outage.ts';
import type { RunnerDeps } from './run-in-child.ts';

/**
 * Makes one attempt at a job. It returns when the job has ended, and thus left the queue, or when the attempt no
 * longer counts; it throws in all other cases, and the queue retries after a growing pause.
 * @param reserved slot and memory for its run; without, the run waits for them
 */
export async function runJob(deps: RunnerDeps, id: string, reserved?: LaneReservation): Promise<void> {
  const startMs = Date.now();
  const claim = await claimJob(deps.ctx.db, id);
  if (!claim) return await removeEntry(deps.ctx.db, id);
  await inAttemptSpan(deps.ctx, claim, startMs, (ctx, span) => {
    const traceId = span && { traceId: span.traceId };
    const log = ctx.log.child({ ...traceId, requestId: id, attempt: claim.attempt });
    return runAttempt({ ...deps, ctx: { ...ctx, log } }, claim, { reserved, span });
  });
}

async function runAttempt(
  deps: RunnerDeps,
  claim: Claim,
  { reserved, span }: { readonly reserved: LaneReservation | undefined; readonly span: Span | undefined },
): Promise<void> {
  const { ctx } = deps;
  const { id } = claim;
  if (claim.isOverdue)
    return await fail(ctx, claim, { status: 'ERROR', message: DEADLINE_EXCEEDED, code: 'timeout' });
  if (claim.attempt > ATTEMPTS_MAX)
    return await fail(ctx, claim, serverFailure('the run was interrupted too often', 'interrupted'));

  const directory = await makeRunDirectory(ctx, id);
  const endTouching = startTouching(directory);
  const fence = deps.fences.watch(claim);
  const stop = combineSignals(deps.signal, fence.signal);
  try {
    const product = await executeClaim({ ...deps, signal: stop.signal }, claim, directory, reserved).catch(
      (err: unknown): AttemptOutcome => {
        ctx.log.error({ err }, 'a run could not be carried out');
        return { next: 'retry', ...publicReason(err) };
      },
    );
    span?.set({ 'darkroom.outcome': product.next });
    if (fence.signal.aborted && product.next === 'hand-back')
      ctx.log.info('an attempt was fenced, and its run ended');
    else await settle(ctx, claim, product, attemptsMaxOf(deps, claim));
  } finally {
    stop.end();
    fence.end();
    endTouching();
    await rm(directory, { recursive: true, force: true });
  }
  await deleteExpiredFiles(ctx, { jobId: id });
}

/** Returns the folder where running attempts keep their files. */
export function runsDirectory(ctx: Context): string {
  return join(ctx.env.DATA_DIR, 'runs');
}

async function makeRunDirectory(ctx: Context, id: string): Promise<string> {
  await mkdir(runsDirectory(ctx), { recursive: true });
  return await mkdtemp(join(runsDirectory(ctx), `${id}-`));
}

function attemptsMaxOf({ operations }: RunnerDeps, { operationId }: Claim): number {
  return findModel(operations, operationId)?.operation.attemptsMax ?? ATTEMPTS_MAX;
}

async function settle(
  ctx: Context,
  attempt: Attempt,
  product: AttemptOutcome,
  attemptsMax: number,
): Promise<void> {
  switch (product.next) {
    case 'complete':
      return await complete(ctx, attempt, product.result);
    case 'fail': {
      const { message, code, field } = product;
      return await fail(ctx, attempt, { status: 'FAILED', message, code, field });
    }
    case 'run-again':
      return await fail(ctx, attempt, { status: 'FAILED', message: product.message, code: product.code });
    case 'give-up':
      return await fail(ctx, attempt, serverFailure(product.reason, product.code));
    case 'retry':
      if (attempt.attempt >= attemptsMax)
        return await fail(ctx, attempt, serverFailure(product.reason, product.code));
      throw new Error(product.reason);
    case 'hand-back':
      await releaseAttempt(ctx.db, attempt);
      throw new Error('aborted, since the runner stops');
  }
}

async function complete(ctx: Context, attempt: Attempt, result: JobResult): Promise<void> {
  const write = () => retryOnOutage(() => completeJob(ctx, attempt, result));
  if (await inSpan(ctx, SPAN.end, write)) {
    return ctx.log.info({ engine: result.engine }, 'job completed');
  }
  await Promise.allSettled(result.files.map(({ key }) => ctx.storage.delete(key)));
  throw new Error('fenced by a later attempt, or beyond the deadline');
}

async function fail(ctx: Context, attempt: Attempt, failure: Failure): Promise<void> {
  const write = () => retryOnOutage(() => failJob(ctx, attempt, failure));
  if (!(await inSpan(ctx, SPAN.end, write))) throw new Error('fenced by a later attempt');
  ctx.log.info(failure, 'job ended without a result');
}

/** Returns the public reason of a fault on our side: the unavailable part, or nothing about internals. */
function publicReason(thrown: unknown): { reason: string; code: FailureCode } {
  return thrown instanceof OperationError && thrown.code === 'unavailable'
    ? { reason: thrown.message, code: thrown.code }
    : { reason: 'an internal error ended the run', code: 'internal' };
}

function serverFailure(reason: string, code: FailureCode): Failure {
  return { status: 'ERROR', message: describeServerFailure(reason), code };
}
