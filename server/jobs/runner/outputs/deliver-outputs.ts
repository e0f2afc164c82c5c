import { combineSignals } from '../../../base/combine-signals.ts';
import type { Context } from '../../../base/context/context.ts';
import { releaseEntry, removeEntry } from '../../../base/queue/index.ts';
import { retryOnOutage } from '../../../base/retry-on-outage.ts';
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
} from '../../index.ts';
import type { RunnerDeps } from '../attempt/run-in-child.ts';
import { deliverFile } from './deliver-file.ts';

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
