import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { type OperationError, problemOf } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { readPlace } from '../../../models/core/operation/run-place.ts';
import type { Context } from '../../base/context/context.ts';
import { getJob } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import type { Allowance } from '../limits/keyed-limit.ts';
import { type BodyAllowance, getProcessLimits } from '../limits/process-limits.ts';
import { type ProblemBody, REQUEST_ID_HEADER } from '../problems/build-problem.ts';
import { noteBody, noteRequest } from '../request-log/note-request.ts';
import { jsonResponse, problemResponse } from '../transport/problem.ts';
import { parseJsonObject, readBody } from '../transport/read-json.ts';
import {
  claimIdempotencyKey,
  dropClaim,
  type EarlierOutcome,
  type IdempotencyClaim,
  type RecordedResponse,
  recordResponse,
  releaseClaim,
  releaseKeyOfJob,
  requestStillRunning,
  startRenewing,
} from './idempotency.ts';
import { respondWithOutcome } from './respond-with-outcome.ts';

/** Billable request, as far as all billable requests agree. */
export interface BillableCall {
  readonly ctx: Context;
  readonly request: Request;
  readonly actor: Actor;
  readonly operation: Operation;
}

/** Bounds on the body of a billable request whose sender may be short of money. */
export interface Admission {
  readonly bodyBytesMax: number;
  /** Error of every request but one that costs nothing, since the account's own machines run it. */
  readonly refusal?: OperationError;
}

/** Valid request whose files are to be staged. */
export interface ParsedRequest {
  readonly body: object;
  readonly claim: IdempotencyClaim | undefined;
  /** Room of the account for the files that the request fetches, held until it is accepted or refused. */
  readonly fetched: Pick<Allowance, 'grow'>;
}

/** Outcome of a valid request. From here on its idempotency key represents it. */
export interface Accepted {
  readonly answer: RecordedResponse;
  /** Job whose end gives the better response, if it comes in time. */
  readonly awaitedJobId?: string;
}

/** Builds the response to a request whose job is running. */
export function acceptedResponse({ env }: Context, id: string): RecordedResponse {
  const pollingUrl = `${env.PUBLIC_URL}/api/v2/requests/status/${id}`;
  return { status: 202, body: { request_id: id, status: 'QUEUED', polling_url: pollingUrl } };
}

/**
 * Reads the body and responds, once per Idempotency-Key: a repeated request gets the first response, or the outcome
 * of its job.
 * @param accept makes a job of the body, or throws to reject it
 */
export async function respondIdempotently(
  call: BillableCall,
  admission: Admission,
  accept: (begun: ParsedRequest) => Promise<Accepted>,
): Promise<Response> {
  const begun = await startRequest(call, admission, accept);
  // The body is gone by now: a request that waits for its job holds none of its bytes.
  if ('refusal' in begun) return begun.refusal;
  if ('earlier' in begun) {
    const { status, body } = await replayOutcome(call, begun.earlier);
    if (status < 400) noteJob(call.request, body);
    return jsonResponse(status, body, { 'idempotent-replayed': 'true' });
  }
  const completing = completeRequest(call, begun.accepted, begun.claim);
  const { status, body } = await completing.finally(begun.endRenewing);
  noteJob(call.request, body);
  return jsonResponse(status, body);
}

/** Notes the job that a response is about. */
function noteJob(request: Request, body: unknown): void {
  const id = typeof body === 'object' && body !== null && 'request_id' in body ? body.request_id : undefined;
  if (typeof id === 'string') noteRequest(request, { jobId: id });
}

type RequestStart =
  | { readonly earlier: EarlierOutcome }
  | { readonly refusal: Response }
  | {
      readonly accepted: Accepted;
      readonly claim: IdempotencyClaim | undefined;
      /** Ends the renewal of the claim. */
      endRenewing(): void;
    };

/** Reads the body and accepts it. Its bytes, and those it has fetched, count for the account until then. */
async function startRequest(
  { ctx, request, actor, operation }: BillableCall,
  admission: Admission,
  accept: (begun: ParsedRequest) => Promise<Accepted>,
): Promise<RequestStart> {
  const { bodyBytesMax } = admission;
  const declaredBytes = Number(request.headers.get('content-length') ?? 0);
  const bounds = getProcessLimits(ctx.env);
  const room = bounds.acquireBody(actor.accountId, Math.min(declaredBytes, bodyBytesMax));
  const fetched = bounds.fetched.acquire(actor.accountId, 0);
  try {
    const body = await readAdmitted(request, admission, room);
    const found = await claimIdempotencyKey(ctx, actor.accountId, request, body);
    if (found && !('claim' in found)) return { earlier: found };
    const claim = found?.claim;
    const endRenewing = claim ? startRenewing(ctx, claim) : () => {};
    try {
      const parsed = parseJsonObject(body);
      noteBody(request, parsed);
      const accepted = await accept({ body: parsed, claim, fetched });
      return { accepted, claim, endRenewing };
    } catch (thrown) {
      endRenewing();
      const refusal = problemResponse(thrown, ctx, {
        faults: operation.errorOverrides,
        signal: request.signal,
      });
      if (claim) await recordRefusal(ctx, claim, refusal.clone());
      return { refusal };
    }
  } finally {
    room.release();
    fetched.release();
  }
}

/**
 * Reads a body, of which one that nobody can pay for must leave its job to machines of the account.
 * @throws OperationError the refusal of any other body; `bad_request` for a place that does not exist
 */
async function readAdmitted(
  request: Request,
  { bodyBytesMax, refusal }: Admission,
  room: BodyAllowance,
): Promise<string> {
  const reading = readBody(request, bodyBytesMax, room);
  if (!refusal) return await reading;
  const body = await reading.catch(() => Promise.reject(refusal));
  const asked = await Promise.resolve(body)
    .then(parseJsonObject)
    .catch(() => ({}));
  if (readPlace(asked) !== 'own') throw refusal;
  return body;
}

async function replayOutcome(call: BillableCall, earlier: EarlierOutcome): Promise<RecordedResponse> {
  const { ctx, actor } = call;
  if ('replay' in earlier) return nameRequest(ctx, earlier.replay);
  const { jobId: id, lockedSeconds } = earlier;
  const { status } = await getJob(ctx, { accountId: actor.accountId, id });
  if (lockedSeconds > 0 && !isTerminal(status)) throw requestStillRunning(lockedSeconds);
  return await awaitJob(call, id, acceptedResponse(ctx, id));
}

/** Gives a recorded refusal that names no job the id of the request that it answers now. */
function nameRequest(
  { traceId = randomUUID() }: Context,
  { status, body }: RecordedResponse,
): RecordedResponse {
  const isNamed = status < 400 || typeof body !== 'object' || body === null || 'request_id' in body;
  return { status, body: isNamed ? body : { ...body, request_id: traceId } };
}

/** Records the response. Never rejects, since the job exists. */
async function completeRequest(
  call: BillableCall,
  { answer, awaitedJobId }: Accepted,
  claim: IdempotencyClaim | undefined,
): Promise<RecordedResponse> {
  if (awaitedJobId === undefined) return answer;
  const { ctx, request } = call;
  const final = await awaitJob(call, awaitedJobId, answer);
  if (claim && !isTemporary(final)) {
    const settled = request.signal.aborted
      ? releaseClaim(ctx.db, claim)
      : recordResponse(ctx.db, claim, final);
    await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to its job'));
  }
  return final;
}

async function awaitJob(
  call: BillableCall,
  id: string,
  accepted: RecordedResponse,
): Promise<RecordedResponse> {
  const { ctx, request, actor, operation } = call;
  const { accountId } = actor;
  const answer = await respondWithOutcome(ctx, {
    id,
    accountId,
    operation,
    accepted,
    signal: request.signal,
  });
  if (isTemporary(answer)) {
    const freed = releaseKeyOfJob(ctx.db, accountId, id);
    await freed.catch((err) => ctx.log.warn({ err }, 'idempotency key left to its job'));
  }
  return answer;
}

/** Reports whether a response asks for a retry: then its key must not replay it. */
function isTemporary({ status }: RecordedResponse): boolean {
  return status === 503;
}

/**
 * Settles a failed request. Client faults are replayed under the same key; after ours, a lost connection or a bound,
 * the request may be retried with it.
 */
async function recordRefusal(ctx: Context, claim: IdempotencyClaim, response: Response): Promise<void> {
  const isRetryable = [429, problemOf('cancelled').status].includes(response.status);
  const isTheirs = response.status < 500 && !isRetryable;
  const settled = isTheirs
    ? recordResponse(ctx.db, claim, { status: response.status, body: await readRefusal(response) })
    : dropClaim(ctx.db, claim);
  await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to expire'));
}

/** Reads the body of a refusal, without the id of its own request. That of a job stays. */
async function readRefusal(response: Response): Promise<object> {
  const { request_id, ...problem } = (await response.json()) as ProblemBody;
  return request_id === response.headers.get(REQUEST_ID_HEADER) ? problem : { ...problem, request_id };
}
