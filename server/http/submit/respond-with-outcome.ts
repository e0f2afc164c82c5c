import type { Operation } from '../../../models/operation/define-operation.ts';
import { type ErrorCode, problemOf } from '../../../models/operation/errors.ts';
import type { JobStatus } from '../../../models/operation/job.ts';
import type { JobView } from '../../../models/operation/job-view.ts';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import type { Context } from '../../context.ts';
import { abandonJob, awaitJobEnd, DEADLINE_EXCEEDED, getJob, OVERDUE } from '../../jobs/index.ts';
import type { RecordedResponse } from './idempotency.ts';

/** Error codes of ended jobs without a result: a completed job without one has expired. */
const NO_RESULT_STATUS: Partial<Record<JobStatus, ErrorCode>> = {
  COMPLETED: 'gone',
  FAILED: 'unprocessable',
};

const UNKNOWN_END =
  'The outcome is not known yet. Send the request again with the same Idempotency-Key to get it.';

type ResponseRules = Pick<Operation, 'response' | 'errorOverrides' | 'cacheHours'>;

export interface WaitOptions {
  readonly operation: ResponseRules;
  readonly id: string;
  readonly accountId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Response when time runs out and the job continues. */
  readonly accepted: RecordedResponse;
}

/**
 * Waits for a job and responds with its outcome. For an operation with direct responses only, the job is abandoned
 * when nobody waits any more. Never rejects: the job is accepted, whatever happens here.
 */
export async function respondWithOutcome(ctx: Context, waiting: WaitOptions): Promise<RecordedResponse> {
  const { id, accountId, operation, accepted } = waiting;
  const leaving = [waiting.signal, ...(ctx.stopping ? [ctx.stopping] : [])];
  const signal = createTimeoutSignal(ctx.env.SYNC_TIMEOUT_SECONDS * 1000, ...leaving);
  const refuses = isDirectOnly(operation);
  const abandon = () => abandonJob(ctx, id, OVERDUE, { isLeft: waiting.signal.aborted });
  try {
    const hasEnded = (await awaitJobEnd(ctx, id, signal)) || (refuses && !(await abandon()));
    if (hasEnded) return buildOutcomeResponse(operation, await getJob(ctx, { accountId, id }));
    return refuses ? buildRefusal(operation, 'timeout', DEADLINE_EXCEEDED) : accepted;
  } catch (err) {
    ctx.log.warn({ err, requestId: id }, 'could not wait for the job');
  }
  return refuses ? buildRefusal(operation, 'timeout', UNKNOWN_END) : accepted;
}

/** Reports whether an operation has direct responses only: no polling and no webhooks. */
export function isDirectOnly({ response }: Pick<Operation, 'response'>): boolean {
  return response?.outOfTime === 'refused';
}

/** Builds the response of an ended job. */
function buildOutcomeResponse(operation: ResponseRules, job: JobView): RecordedResponse {
  if (!operation.response) return { status: 200, body: job };
  const { request_id, engine, warnings, output } = job;
  if (job.error?.endsWith(DEADLINE_EXCEEDED)) return buildRefusal(operation, 'timeout', DEADLINE_EXCEEDED);
  if (!output?.result) {
    return buildRefusal(operation, NO_RESULT_STATUS[job.status] ?? 'internal', job.error ?? warnings.at(-1));
  }
  const cached = operation.cacheHours === undefined ? {} : { cached: false };
  return { status: 200, body: { ...output.result, request_id, engine, warnings, ...cached } };
}

function buildRefusal(
  { errorOverrides }: ResponseRules,
  code: ErrorCode,
  message: string | undefined,
): RecordedResponse {
  const { status, title } = problemOf(code, errorOverrides);
  return { status, body: { error: title, message } };
}
