import { setTimeout as wait } from 'node:timers/promises';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { OutageError } from '../../base/outage.ts';
import { releaseEntry, removeEntry } from '../../base/queue/index.ts';
import { retryOnOutage } from '../../base/retry-on-outage.ts';
import { combineSignals } from '../../base/signals.ts';
import { addressRules, putFile } from '../../io/fetching/index.ts';
import {
  completeJob,
  deleteExpiredFiles,
  type Failure,
  failJob,
  findQueuedOutputs,
  type QueuedOutputs,
  recordDeliveries,
  recordFailures,
  type StoredDelivery,
} from '../index.ts';
import type { RunnerDeps } from './run-in-child.ts';

/** Time for the response to an attempt, and the slowest rate at which its file may leave. */
const RESPONSE_MS = 30_000;

const BYTES_PER_MS_MIN = 1_000;

/** Pause after a failed attempt, which doubles up to the longest. */
const PAUSE_MS = { first: 1_000, max: 30_000 };

interface DeliveryOptions {
  /** Time in which attempts may begin. */
  readonly retryWindowMs: number;
  readonly signal: AbortSignal;
  /** Called with the outcome of each attempt. */
  readonly onAttempt: (delivery: StoredDelivery) => Promise<void>;
}

/** Time in which attempts at a delivery may begin. */
const RETRY_WINDOW_MS = 120_000;

/** Failures that a result counts which the client's own receiver refused, of `FAILURES_PER_HOUR`. */
const REFUSED_RESULT_FAILURES = 10;

interface DeliverOptions {
  /** Overrides the time in which attempts may begin. */
  readonly retryWindowMs?: number;
}

/**
 * Delivers the result of a job to the client's bucket, and ends the job: COMPLETED, or FAILED where the service
 * does not keep the result either. After a crash the delivery is repeated: a bucket may get the same file twice.
 * @throws what keeps this runner from it, for the queue to retry
 */
export async function deliverOutputs(
  deps: Pick<RunnerDeps, 'ctx' | 'workerId' | 'fences' | 'signal'>,
  id: string,
  { retryWindowMs = RETRY_WINDOW_MS }: DeliverOptions = {},
): Promise<void> {
  const { ctx } = deps;
  const outputs = await findQueuedOutputs(ctx.db, id);
  if (!outputs) return await removeEntry(ctx.db, id);
  const fence = deps.fences.watch(outputs);
  const stop = combineSignals(deps.signal, fence.signal);
  // Unless the job has ended, a later attempt has begun, whose result waits for the same delivery.
  const giveBack = async (): Promise<void> => {
    ctx.log.info({ requestId: id }, 'a delivery was fenced, and ended');
    await releaseEntry(ctx.db, id, deps.workerId, { hasFailed: false });
  };
  try {
    const deliveries = await deliverAll(ctx, outputs, { retryWindowMs, signal: stop.signal });
    if (!(await retryOnOutage(() => endJob(ctx, outputs, deliveries)))) await giveBack();
  } catch (thrown) {
    if (!fence.signal.aborted) throw thrown;
    await giveBack();
  } finally {
    stop.end();
    fence.end();
  }
  await deleteExpiredFiles(ctx, { jobId: id });
}

/** Delivers the files that no earlier worker has delivered, all at once. */
async function deliverAll(
  ctx: Context,
  outputs: QueuedOutputs,
  { retryWindowMs, signal }: { readonly retryWindowMs: number; readonly signal: AbortSignal },
): Promise<readonly StoredDelivery[]> {
  const current = [...outputs.deliveries];
  const record = async (at: number, delivery: StoredDelivery): Promise<void> => {
    current[at] = delivery;
    await recordDeliveries(ctx.db, outputs, current);
  };
  const ends = await Promise.allSettled(
    outputs.deliveries.map(async (delivery, at) => {
      const file = outputs.files[at];
      if (!file || delivery.status !== 'pending') return;
      const onAttempt = (state: StoredDelivery) => record(at, state);
      await record(at, await deliverFile(ctx, file, delivery, { retryWindowMs, signal, onAttempt }));
    }),
  );
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
  return current;
}

/**
 * Ends the job, and records its deliveries with the end.
 * @returns false when a later attempt has fenced this one, or the job has ended otherwise
 */
async function endJob(
  ctx: Context,
  outputs: QueuedOutputs,
  outputDeliveries: readonly StoredDelivery[],
): Promise<boolean> {
  const isKept = outputs.isStored || outputDeliveries.every(({ status }) => status === 'delivered');
  const hasEnded = isKept
    ? await completeJob(ctx, outputs, outputs.result, { outputDeliveries })
    : await failJob(ctx, outputs, describeFailure(outputDeliveries), { outputDeliveries });
  // The receiver may have kept what it refused: such results are free for a bounded number only.
  if (!isKept && hasEnded) await recordFailures(ctx, outputs.accountId, REFUSED_RESULT_FAILURES);
  const states = outputDeliveries.map(({ status, attempts }) => ({ status, attempts }));
  ctx.log.info({ requestId: outputs.id, states, hasEnded }, 'a result was delivered, or could not be');
  return hasEnded;
}

function describeFailure(deliveries: readonly StoredDelivery[]): Failure {
  const at = deliveries.findIndex(({ status }) => status !== 'delivered');
  const field = `output_urls[${at}]`;
  const reason = deliveries[at]?.error ?? 'nothing was sent.';
  return {
    status: 'FAILED',
    code: 'output_delivery_failed',
    field,
    message: `${field}: the result could not be delivered, and store was false: ${reason} Nothing was charged.`,
  };
}

/**
 * Puts a file to the client's URL: again after a status of 5xx or without a response, until time is up. Any other
 * status ends it at once.
 * @returns the settled delivery
 * @throws OutageError; OperationError of the store; the signal's reason once aborted
 */
async function deliverFile(
  ctx: Context,
  file: QueuedOutputs['files'][number],
  delivery: StoredDelivery,
  { retryWindowMs, signal, onAttempt }: DeliveryOptions,
): Promise<StoredDelivery> {
  const endMs = performance.now() + retryWindowMs;
  let current = delivery;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
    const leftMs = Math.max(0, endMs - performance.now());
    const timeoutMs = Math.min(RESPONSE_MS, leftMs) + file.bytes / BYTES_PER_MS_MIN;
    current = {
      ...current,
      attempts: current.attempts + 1,
      ...(await attempt(ctx, file, current.url, { timeoutMs, signal })),
    };
    if (current.status !== 'pending') return current;
    if (performance.now() + pauseMs >= endMs) return { ...current, status: 'failed' };
    await onAttempt(current);
    await wait(pauseMs, undefined, { signal });
  }
}

/** Makes one attempt. `pending`: another one may succeed. */
async function attempt(
  ctx: Context,
  { key, bytes, mediaType }: QueuedOutputs['files'][number],
  url: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Pick<StoredDelivery, 'status' | 'httpStatus' | 'error'>> {
  const { stream: body } = await ctx.storage.get(key);
  try {
    const options = { body, bytes, mediaType, timeoutMs, signal, ...addressRules(ctx.env) };
    return describeResponse(await putFile(url, options));
  } catch (thrown) {
    if (!(thrown instanceof OperationError) || thrown instanceof OutageError) throw thrown;
    return { status: 'pending', httpStatus: null, error: thrown.message };
  }
}

function describeResponse(httpStatus: number): Pick<StoredDelivery, 'status' | 'httpStatus' | 'error'> {
  if (httpStatus >= 200 && httpStatus < 300) return { status: 'delivered', httpStatus, error: null };
  const isRedirect = httpStatus >= 300 && httpStatus < 400;
  const advice = isRedirect ? 'redirects are not followed' : 'instead of 2xx';
  const error = `responded with status ${httpStatus}${isRedirect ? ': ' : ' '}${advice}.`;
  return { status: httpStatus >= 500 ? 'pending' : 'failed', httpStatus, error };
}
