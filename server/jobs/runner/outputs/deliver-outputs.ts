import { combineSignals } from '../../../base/combine-signals.ts';
import type { Context } from '../../../base/context/context.ts';
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
import { removeEntry } from '../../../base/queue/index.ts';
import { retryOnOutage } from '../attempt/retry-on-outage.ts';
import type { RunnerDeps } from '../attempt/run-in-child.ts';
import { deliverFile } from './deliver-file.ts';

/** Time in which attempts at a delivery may begin. */
const PATIENCE_MS = 120_000;
/** Failures that a result counts which the client's own receiver refused, of `FAILURES_PER_HOUR`. */
const REFUSED_RESULT_FAILURES = 10;

interface DeliverOptions {
  /** Overrides the time in which attempts may begin. */
  readonly patienceMs?: number;
}

/**
 * Delivers the result of a job to the client's bucket, and ends the job: COMPLETED, or FAILED where nobody else would
 * have the result. After a crash the delivery is repeated: a bucket may get the same file twice.
 * @throws what keeps this runner from it, for the queue to retry
 */
export async function deliverOutputs(
  deps: Pick<RunnerDeps, 'ctx' | 'fences' | 'signal'>,
  id: string,
  { patienceMs = PATIENCE_MS }: DeliverOptions = {},
): Promise<void> {
  const { ctx } = deps;
  const outputs = await findQueuedOutputs(ctx.db, id);
  if (!outputs) return await removeEntry(ctx.db, id);
  const fence = deps.fences.watch(outputs);
  const stop = combineSignals(deps.signal, fence.signal);
  try {
    const deliveries = await deliverAll(ctx, outputs, { patienceMs, signal: stop.signal });
    await retryOnOutage(() => endJob(ctx, outputs, deliveries));
  } catch (thrown) {
    if (!fence.signal.aborted) throw thrown;
    ctx.log.info({ requestId: id }, 'a delivery was ended, since its job has');
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
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal },
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
      await record(at, await deliverFile(ctx, file, delivery, { patienceMs, signal, onAttempt }));
    }),
  );
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
  return current;
}

/** Ends the job. A later attempt, or another end, leaves nothing to do. */
async function endJob(
  ctx: Context,
  outputs: QueuedOutputs,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  await recordDeliveries(ctx.db, outputs, deliveries);
  const isKept = outputs.isStored || deliveries.every(({ status }) => status === 'delivered');
  const hasEnded = isKept
    ? await completeJob(ctx, outputs, outputs.result)
    : await failJob(ctx, outputs, describeFailure(deliveries));
  // The receiver may have kept what it refused: such results are free for a bounded number only.
  if (!isKept && hasEnded) await recordFailures(ctx, outputs.accountId, REFUSED_RESULT_FAILURES);
  const states = deliveries.map(({ status, attempts }) => ({ status, attempts }));
  ctx.log.info({ requestId: outputs.id, states, hasEnded }, 'a result was delivered, or could not be');
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
