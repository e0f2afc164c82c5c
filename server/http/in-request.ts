import { type ErrorCode, problemOf } from '../../models/errors.ts';
import type { JobStatus } from '../../models/job.ts';
import type { JobView } from '../../models/job-view.ts';
import type { Operation } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import { awaitEnd, getJob } from '../jobs/index.ts';
import { withinTime } from '../within-time.ts';
import type { Answer } from './idempotency.ts';

/** A job that has completed and has no result has none any more. */
const NO_RESULT: Partial<Record<JobStatus, ErrorCode>> = { COMPLETED: 'gone', FAILED: 'unprocessable' };

export interface Waiting {
  readonly operation: Pick<Operation, 'result'>;
  readonly id: string;
  readonly accountId: string;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
  /** What is answered when there is no time left; the work goes on. */
  readonly accepted: Answer;
}

/** Waits for a job and answers with what came of it. Never rejects: the job is accepted, whatever happens here. */
export async function answerInTime(ctx: Context, waiting: Waiting): Promise<Answer> {
  const { id, accountId, operation, accepted } = waiting;
  const leaving = [waiting.signal, ...(ctx.stopping ? [ctx.stopping] : [])];
  const signal = withinTime(ctx.env.SYNC_TIMEOUT_SECONDS * 1000, ...leaving);
  try {
    if (await awaitEnd(ctx, id, signal)) {
      return answerOf(operation, await getJob(ctx, { accountId, id }));
    }
  } catch (err) {
    ctx.log.warn({ err, requestId: id }, 'could not wait for the job');
  }
  return accepted;
}

/** The answer that a job which has ended stands for. */
function answerOf(operation: Pick<Operation, 'result'>, job: JobView): Answer {
  if (!operation.result) return { status: 200, body: job };
  const { request_id, engine, warnings, output } = job;
  if (output?.result)
    return { status: 200, body: { ...output.result, request_id, engine, warnings, cached: false } };
  const { status, title } = problemOf(NO_RESULT[job.status] ?? 'internal');
  return { status, body: { error: title, message: job.error ?? warnings.at(-1) } };
}
