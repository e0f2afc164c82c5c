import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { type ErrorCode, getProblem } from '../../../models/core/operation/errors.ts';
import { isTerminal, type JobStatus } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import type { Context } from '../../base/context.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import { abandonJob, awaitJobEnd, DEADLINE_EXCEEDED, getJob, OVERDUE } from '../../jobs/index.ts';
import { buildProblem, jsonResponse, type ProblemCause } from '../transport/problem.ts';
import { readWaitSeconds } from '../transport/read-request.ts';
import { annotateRequestLog } from '../transport/request-log.ts';
import { type Accepted, buildAcceptedResponse } from './accept-job.ts';
import { type BillableCall, isDirectCall } from './billable-call.ts';
import {
  type EarlierOutcome,
  type RecordedResponse,
  recordResponse,
  releaseKeyOfJob,
  releaseReservation,
  requestStillRunning,
} from './idempotency.ts';

/** Errors whose statuses ended jobs without a result have: a completed job without one has expired. */
const NO_RESULT_STATUS: Partial<Record<JobStatus, ErrorCode>> = {
  COMPLETED: 'gone',
  FAILED: 'unprocessable',
};

/** Codes of jobs that ended since what a field names was missing here: they are responded to as if they had not begun. */
const UNAVAILABLE: readonly ErrorCode[] = ['unavailable', 'engine_unavailable', 'category_unavailable'];

/**
 * Time for which a request that cannot fetch its result later still waits after its process was asked to stop. The
 * process waits longer for its responses.
 */
const DRAIN_MS = 10_000;

const UNKNOWN_END =
  'The outcome is not known yet. Send the request again with the same Idempotency-Key to get it.';

type ResponseRules = Pick<Operation, 'response' | 'errorOverrides' | 'cacheHours'>;

/**
 * Responds to a request: at once, or with the outcome of its job, which its key then repeats; to a repeated request as
 * to the first one, or with the outcome of that one's job.
 * @throws OperationError `conflict` while the first request waits for that job
 */
export async function respond(
  call: BillableCall,
  accepted: Accepted | { readonly earlier: EarlierOutcome },
): Promise<Response> {
  const isReplay = 'earlier' in accepted;
  const { status, body } = isReplay
    ? await replayOutcome(call, accepted.earlier)
    : await completeRequest(call, accepted);
  if (status < 400 || !isReplay) annotateJob(call.request, body);
  return jsonResponse(status, body, isReplay ? { 'idempotent-replayed': 'true' } : {});
}

async function replayOutcome(call: BillableCall, earlier: EarlierOutcome): Promise<RecordedResponse> {
  const { ctx, actor } = call;
  if ('replay' in earlier) return nameRequest(ctx, earlier.replay);
  const { jobId: id, lockedSeconds } = earlier;
  const { status } = await getJob(ctx, { accountId: actor.accountId, id });
  if (lockedSeconds > 0 && !isTerminal(status)) throw requestStillRunning(lockedSeconds);
  return await awaitJob(call, id, buildAcceptedResponse(ctx, id));
}

/** Gives a recorded refusal that names no job the id of the request that gets it now. */
function nameRequest(
  { traceId = randomUUID() }: Context,
  { status, body }: RecordedResponse,
): RecordedResponse {
  const isNamed = status < 400 || typeof body !== 'object' || body === null || 'request_id' in body;
  return { status, body: isNamed ? body : { ...body, request_id: traceId } };
}

/** Annotates a request with the job that its response is about. */
function annotateJob(request: Request, body: unknown): void {
  const id = typeof body === 'object' && body !== null && 'request_id' in body ? body.request_id : undefined;
  if (typeof id === 'string') annotateRequestLog(request, { jobId: id });
}

/** Waits for the job of a request that does, and records the outcome under its key. Never rejects: the job exists. */
async function completeRequest(
  call: BillableCall,
  { response, awaitedJobId, key: { reservation, endRenewal } }: Accepted,
): Promise<RecordedResponse> {
  const { ctx, request } = call;
  try {
    if (awaitedJobId === undefined) return response;
    const final = await awaitJob(call, awaitedJobId, response);
    if (!reservation || isTemporary(final)) return final;
    const settled = request.signal.aborted
      ? releaseReservation(ctx.db, reservation)
      : recordResponse(ctx.db, reservation, final);
    await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to its job'));
    return final;
  } finally {
    endRenewal();
  }
}

/** Reports whether a response asks for a retry: then its key must not replay it. */
function isTemporary({ status }: RecordedResponse): boolean {
  return status === 503;
}

/**
 * Waits for a job and returns its outcome, or the response so far when time runs out and the job continues. Never
 * rejects: the job is accepted, whatever happens here.
 */
async function awaitJob(
  call: BillableCall,
  id: string,
  accepted: RecordedResponse,
): Promise<RecordedResponse> {
  const { ctx, actor } = call;
  const outcome = await awaitOutcome(call, id, accepted);
  if (isTemporary(outcome)) {
    const freed = releaseKeyOfJob(ctx.db, actor.accountId, id);
    await freed.catch((err) => ctx.log.warn({ err }, 'idempotency key left to its job'));
  }
  return outcome;
}

/** Waits for a job. That of an operation with direct responses only is abandoned when nothing waits for it any more. */
async function awaitOutcome(
  call: BillableCall,
  id: string,
  accepted: RecordedResponse,
): Promise<RecordedResponse> {
  const { ctx, request, operation } = call;
  const { accountId } = call.actor;
  const refuses = isDirectCall(call);
  const abandon = () => abandonJob(ctx, id, OVERDUE, { isLeft: request.signal.aborted });
  try {
    const hasEnded =
      (await waitForEnd(ctx, { id, request, drains: refuses })) || (refuses && !(await abandon()));
    if (hasEnded) return buildOutcomeResponse(call, await getJob(ctx, { accountId, id }));
    return refuses ? buildTimeout(operation, id, DEADLINE_EXCEEDED) : accepted;
  } catch (err) {
    ctx.log.warn({ err, requestId: id }, 'could not wait for the job');
  }
  return refuses ? buildTimeout(operation, id, UNKNOWN_END) : accepted;
}

interface Waiting {
  readonly id: string;
  readonly request: Request;
  /** Whether it outlasts a stop of this process for a while, and takes its time whatever the request prefers. */
  readonly drains: boolean;
}

/** Waits for the end of a job, until time runs out, the client leaves, or this process is asked to stop. */
async function waitForEnd(ctx: Context, { id, request, drains }: Waiting): Promise<boolean> {
  const preferred = drains ? 0 : readWaitSeconds(request);
  const timeoutMs = (preferred || ctx.env.SYNC_TIMEOUT_SECONDS) * 1000;
  const limit = createTimeoutSignal(timeoutMs, request.signal);
  if (await awaitJobEnd(ctx, id, createTimeoutSignal(timeoutMs, limit, ctx.stopping))) return true;
  return drains && (await awaitJobEnd(ctx, id, createTimeoutSignal(DRAIN_MS, limit)));
}

/** Builds the response of an ended job. */
function buildOutcomeResponse(
  { operation, modelId }: Pick<BillableCall, 'operation' | 'modelId'>,
  job: JobView,
): RecordedResponse {
  if (!operation.response || modelId !== operation.id) return { status: 200, body: job };
  const { request_id, engine, engine_licence, warnings, output } = job;
  if (job.code === 'timeout') return buildTimeout(operation, request_id, DEADLINE_EXCEEDED);
  if (!output?.result) return buildJobFailure(operation, job);
  const cached = operation.cacheHours === undefined ? {} : { cached: output.cached === true };
  return { status: 200, body: { ...output.result, request_id, engine, engine_licence, warnings, ...cached } };
}

/** Builds the response of a job without a result: its state gives the status, the job itself the code. */
function buildJobFailure({ errorOverrides }: ResponseRules, job: JobView): RecordedResponse {
  const { request_id, status, error, field, warnings } = job;
  const ours = UNAVAILABLE.find((code) => status === 'ERROR' && field !== null && code === job.code);
  const usual = ours ?? NO_RESULT_STATUS[status] ?? 'internal';
  const cause: ProblemCause = { code: job.code ?? usual, message: error ?? warnings.at(-1) ?? '', field };
  return buildProblem(cause, request_id, getProblem(usual, errorOverrides));
}

function buildTimeout(
  { errorOverrides }: ResponseRules,
  requestId: string,
  message: string,
): RecordedResponse {
  return buildProblem({ code: 'timeout', message }, requestId, getProblem('timeout', errorOverrides));
}
