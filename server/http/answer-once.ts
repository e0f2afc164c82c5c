import { isTerminal } from '../../models/job.ts';
import type { Operation } from '../../models/operation.ts';
import type { Context } from '../context.ts';
import { getJob } from '../jobs/index.ts';
import type { Actor } from '../keys/index.ts';
import {
  type Answer,
  claimIdempotencyKey,
  dropClaim,
  type Earlier,
  type IdempotencyClaim,
  recordAnswer,
  stillRunning,
  unlock,
} from './idempotency.ts';
import { answerInTime } from './in-request.ts';
import { json, problem } from './problem.ts';
import { parseJsonObject, readBody } from './read-json.ts';

/** A billable request, as far as everything that may be billed is the same. */
export interface Call {
  readonly ctx: Context;
  readonly request: Request;
  readonly actor: Actor;
  readonly operation: Operation;
}

/** What came of a request that was right. It stands under the request's idempotency key from here on. */
export interface Accepted {
  readonly answer: Answer;
  /** The job whose end is the better answer, if it comes in time. */
  readonly awaitedJobId?: string;
}

/** The answer to a request whose job is under way. */
export function acceptedAnswer({ env }: Context, id: string): Answer {
  const pollingUrl = `${env.PUBLIC_URL}/api/v2/requests/status/${id}`;
  return { status: 202, body: { request_id: id, status: 'QUEUED', polling_url: pollingUrl } };
}

/**
 * Reads the body and answers, once under an Idempotency-Key: a request that comes again gets what the first one got, or
 * what has become of its job.
 * @param accept makes a job of the body, or a refusal by throwing
 */
export async function answerOnce(
  call: Call,
  bodyBytesMax: number,
  accept: (body: object, claim: IdempotencyClaim | undefined) => Promise<Accepted>,
): Promise<Response> {
  const { ctx, request, actor } = call;
  const body = await readBody(request, bodyBytesMax);
  const found = await claimIdempotencyKey(ctx, actor.accountId, request, body);
  if (found && !('claim' in found)) {
    const { status, body } = await repeat(call, found);
    return json(status, body, { 'idempotent-replayed': 'true' });
  }
  const claim = found?.claim;
  try {
    const accepted = await accept(parseJsonObject(body), claim);
    const answer = await finish(call, accepted, claim);
    return json(answer.status, answer.body);
  } catch (thrown) {
    const response = problem(thrown, ctx.log);
    if (claim) await settleFailed(ctx, claim, response.clone());
    return response;
  }
}

async function repeat(call: Call, earlier: Earlier): Promise<Answer> {
  if ('replay' in earlier) return earlier.replay;
  const { ctx, actor } = call;
  const { jobId: id, isLocked } = earlier;
  const { status } = await getJob(ctx, { accountId: actor.accountId, id });
  if (isLocked && !isTerminal(status)) throw stillRunning();
  return await awaitJob(call, id, acceptedAnswer(ctx, id));
}

/** Never rejects, since the job stands. */
async function finish(
  call: Call,
  { answer, awaitedJobId }: Accepted,
  claim: IdempotencyClaim | undefined,
): Promise<Answer> {
  if (awaitedJobId === undefined) return answer;
  const { ctx, request } = call;
  const final = await awaitJob(call, awaitedJobId, answer);
  if (claim) {
    const settled = request.signal.aborted ? unlock(ctx.db, claim) : recordAnswer(ctx.db, claim, final);
    await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to its job'));
  }
  return final;
}

function awaitJob({ ctx, request, actor, operation }: Call, id: string, accepted: Answer): Promise<Answer> {
  const { accountId } = actor;
  return answerInTime(ctx, { id, accountId, operation, accepted, signal: request.signal });
}

/** The client's own faults are repeated under the same key; ours may be tried again with it. */
async function settleFailed(ctx: Context, claim: IdempotencyClaim, response: Response): Promise<void> {
  const settled =
    response.status < 500
      ? recordAnswer(ctx.db, claim, { status: response.status, body: await response.json() })
      : dropClaim(ctx.db, claim);
  await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to expire'));
}
