import { OperationError } from '../../models/errors.ts';
import { newRequestId } from '../../models/job.ts';
import type { RegisteredOperation } from '../../models/registry.ts';
import { parseRequest } from '../../models/request.ts';
import type { Context } from '../context.ts';
import { assertReachableUrl } from '../fetching/index.ts';
import { submitJob } from '../jobs/index.ts';
import { type Actor, authorise } from '../keys/index.ts';
import {
  type Answer,
  claimIdempotencyKey,
  dropClaim,
  type IdempotencyClaim,
  recordAnswer,
} from './idempotency.ts';
import { json, problem } from './problem.ts';
import { parseJsonObject, readBody } from './read-json.ts';
import { stageInput } from './stage-input.ts';

/** POST of an operation: 202 once hold, job and queue entry stand in one transaction. */
export async function submitOperation(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: RegisteredOperation,
): Promise<Response> {
  assertEnabled(ctx, operation);
  authorise(actor, operation.id);
  const body = await readBody(request);
  const idempotency = await claimIdempotencyKey(ctx, actor.accountId, request, body);
  if (idempotency && 'replay' in idempotency) {
    return json(idempotency.replay.status, idempotency.replay.body, { 'idempotent-replayed': 'true' });
  }
  const claim = idempotency?.claim;
  try {
    const answer = await accept(ctx, request, actor, operation, body, claim);
    return json(answer.status, answer.body);
  } catch (thrown) {
    const response = problem(thrown, ctx.log);
    if (claim) await settleFailed(ctx, claim, response.clone());
    return response;
  }
}

async function accept(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: RegisteredOperation,
  body: string,
  claim: IdempotencyClaim | undefined,
): Promise<Answer> {
  const { field, url, params } = parseRequest(operation, parseJsonObject(body));
  const webhookUrl = await webhookUrlOf(ctx, request);
  const id = newRequestId(operation.id, Date.now());
  const { take, drop, ...staged } = await stageInput(ctx, {
    id,
    accountId: actor.accountId,
    operation,
    field,
    url,
    params,
    signal: request.signal,
  });
  const pollingUrl = `${ctx.env.PUBLIC_URL}/api/v2/requests/status/${id}`;
  const answer = { status: 202, body: { request_id: id, status: 'QUEUED', polling_url: pollingUrl } };
  try {
    await submitJob(ctx, { id, actor, operation, params, ...staged, ...webhookUrl }, async (tx) => {
      await take(tx);
      if (claim) await recordAnswer(tx, claim, answer);
    });
  } catch (thrown) {
    await drop().catch((err) => ctx.log.warn({ err }, 'input left for clean-up'));
    throw thrown;
  }
  ctx.log.info({ requestId: id, operation: operation.id, accountId: actor.accountId }, 'job accepted');
  return answer;
}

function assertEnabled(ctx: Context, operation: RegisteredOperation): void {
  if (ctx.env.DISABLED_MODELS.includes(operation.id)) {
    throw new OperationError('model_not_found', `Model '${operation.id}' not found or disabled`);
  }
}

async function webhookUrlOf(ctx: Context, request: Request): Promise<{ webhookUrl?: string }> {
  const webhookUrl = request.headers.get('x-webhook-url');
  if (webhookUrl === null) return {};
  try {
    await assertReachableUrl(webhookUrl, ctx.env.FETCH_ALLOW_NETWORKS);
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    throw new OperationError(thrown.code, `X-Webhook-URL: ${thrown.message}`, { cause: thrown });
  }
  return { webhookUrl };
}

/** The client's own faults are repeated under the same key; ours may be tried again with it. */
async function settleFailed(ctx: Context, claim: IdempotencyClaim, response: Response): Promise<void> {
  const settled =
    response.status < 500
      ? recordAnswer(ctx.db, claim, { status: response.status, body: await response.json() })
      : dropClaim(ctx.db, claim);
  await settled.catch((err) => ctx.log.warn({ err }, 'idempotency key left to expire'));
}
