import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import { type ErrorCode, problemOf } from '../../../models/core/operation/errors.ts';
import type { JobStatus } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import type { Context } from '../../base/context/context.ts';
import { abandonJob, awaitJobEnd, DEADLINE_EXCEEDED, getJob, OVERDUE } from '../../jobs/index.ts';
import { buildProblem, type ProblemCause } from '../problems/build-problem.ts';
import type { RecordedResponse } from './idempotency.ts';

/** Errors whose statuses ended jobs without a result have: a completed job without one has expired. */
const NO_RESULT_STATUS: Partial<Record<JobStatus, ErrorCode>> = {
  COMPLETED: 'gone',
  FAILED: 'unprocessable',
};

/**
 * Time for which a request that cannot fetch its result later still waits after its process was asked to stop. The
 * process waits longer for its responses.
 */
const DRAIN_MS = 10_000;

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
 * when no client waits any more. Never rejects: the job is accepted, whatever happens here.
 */
export async function respondWithOutcome(ctx: Context, waiting: WaitOptions): Promise<RecordedResponse> {
  const { id, accountId, operation, accepted } = waiting;
  const refuses = isDirectOnly(operation);
  const abandon = () => abandonJob(ctx, id, OVERDUE, { isLeft: waiting.signal.aborted });
  try {
    const hasEnded = (await waitForEnd(ctx, waiting, refuses)) || (refuses && !(await abandon()));
    if (hasEnded) return buildOutcomeResponse(operation, await getJob(ctx, { accountId, id }));
    return refuses ? buildTimeout(operation, id, DEADLINE_EXCEEDED) : accepted;
  } catch (err) {
    ctx.log.warn({ err, requestId: id }, 'could not wait for the job');
  }
  return refuses ? buildTimeout(operation, id, UNKNOWN_END) : accepted;
}

/**
 * Waits for the end of a job, until time runs out, the client leaves, or this process is asked to stop.
 * @param drains outlasts such a stop for a while
 */
async function waitForEnd(ctx: Context, { id, signal }: WaitOptions, drains: boolean): Promise<boolean> {
  const timeoutMs = ctx.env.SYNC_TIMEOUT_SECONDS * 1000;
  const limit = createTimeoutSignal(timeoutMs, signal);
  const stop = ctx.stopping ? createTimeoutSignal(timeoutMs, limit, ctx.stopping) : limit;
  if (await awaitJobEnd(ctx, id, stop)) return true;
  return drains && (await awaitJobEnd(ctx, id, createTimeoutSignal(DRAIN_MS, limit)));
}

/** Builds the response of an ended job. */
function buildOutcomeResponse(operation: ResponseRules, job: JobView): RecordedResponse {
  if (!operation.response) return { status: 200, body: job };
  const { request_id, engine, engine_licence, warnings, output } = job;
  if (job.code === 'timeout') return buildTimeout(operation, request_id, DEADLINE_EXCEEDED);
  if (!output?.result) return buildJobFailure(operation, job);
  const cached = operation.cacheHours === undefined ? {} : { cached: output.cached === true };
  return { status: 200, body: { ...output.result, request_id, engine, engine_licence, warnings, ...cached } };
}

/** Builds the response of a job without a result: its state gives the status, the job itself the code. */
function buildJobFailure({ errorOverrides }: ResponseRules, job: JobView): RecordedResponse {
  const { request_id, status, error, field, warnings } = job;
  const usual = NO_RESULT_STATUS[status] ?? 'internal';
  const cause: ProblemCause = { code: job.code ?? usual, message: error ?? warnings.at(-1) ?? '', field };
  return buildProblem(cause, request_id, problemOf(usual, errorOverrides));
}

function buildTimeout(
  { errorOverrides }: ResponseRules,
  requestId: string,
  message: string,
): RecordedResponse {
  return buildProblem({ code: 'timeout', message }, requestId, problemOf('timeout', errorOverrides));
}
