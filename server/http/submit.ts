import { newRequestId } from '../../models/job.ts';
import type { RegisteredOperation } from '../../models/registry.ts';
import { parseRequest } from '../../models/request.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../keys/index.ts';
import { acceptJob, assertAllowed, webhookUrlOf } from './accept-job.ts';
import { type Accepted, answerOnce, type Call } from './answer-once.ts';
import { cachedAnswer, cachedResult, cacheKeyOf } from './cached.ts';
import { type IdempotencyClaim, recordAnswer } from './idempotency.ts';
import { bodyBytesMax } from './read-json.ts';
import { stageRequest } from './stage-request.ts';

/** A result that goes sooner is no answer any more. */
const MINUTES_LEFT_MIN = 10;

/** POST of an operation: a job, once hold, job and queue entry stand in one transaction. */
export async function submitOperation(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: RegisteredOperation,
): Promise<Response> {
  assertAllowed(ctx, actor, operation.id);
  const call = { ctx, request, actor, operation };
  return await answerOnce(call, bodyBytesMax(operation), (body, claim) => accept(call, body, claim));
}

async function accept(call: Call, body: object, claim: IdempotencyClaim | undefined): Promise<Accepted> {
  const { ctx, request, actor, operation } = call;
  const parsed = parseRequest(operation, body);
  const { params } = parsed;
  const webhookUrl = await webhookUrlOf(ctx, request);
  const id = newRequestId(operation.id, Date.now());
  const stager = { id, accountId: actor.accountId, signal: request.signal };
  const staged = await stageRequest(ctx, operation, parsed, stager);
  const cacheKey = cacheKeyOf(call, params, staged.files);
  const cached = await cachedResult(call, cacheKey, MINUTES_LEFT_MIN);
  if (cached) {
    const answer = await cachedAnswer(call, cached);
    await staged.drop();
    if (claim) await recordAnswer(ctx.db, claim, answer);
    return { answer };
  }
  const { facts, price } = staged;
  const waits = operation.waits(params);
  return await acceptJob(call, claim, {
    ...{ id, modelId: operation.id, params, facts, price, staged, waits },
    ...webhookUrl,
    ...(cacheKey && { cacheKey }),
  });
}
