import { OperationError } from '../../models/errors.ts';
import { newRequestId } from '../../models/job.ts';
import type { RegisteredOperation } from '../../models/registry.ts';
import { parseRequest } from '../../models/request.ts';
import type { Context } from '../context.ts';
import { assertReachableUrl } from '../fetching/index.ts';
import { submitJob } from '../jobs/index.ts';
import { type Actor, authorise } from '../keys/index.ts';
import { type Accepted, acceptedAnswer, answerOnce, type Call } from './answer-once.ts';
import { bindToJob, type IdempotencyClaim, recordAnswer } from './idempotency.ts';
import { bodyBytesMax } from './read-json.ts';
import { stageRequest } from './stage-request.ts';

/** POST of an operation: a job, once hold, job and queue entry stand in one transaction. */
export async function submitOperation(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: RegisteredOperation,
): Promise<Response> {
  assertEnabled(ctx, operation);
  authorise(actor, operation.id);
  const call = { ctx, request, actor, operation };
  return await answerOnce(call, bodyBytesMax(operation), (body, claim) => accept(call, body, claim));
}

async function accept(call: Call, body: object, claim: IdempotencyClaim | undefined): Promise<Accepted> {
  const { ctx, request, actor, operation } = call;
  const { accountId } = actor;
  const parsed = parseRequest(operation, body);
  const { params } = parsed;
  const webhookUrl = await webhookUrlOf(ctx, request);
  const id = newRequestId(operation.id, Date.now());
  const stager = { id, accountId, signal: request.signal };
  const { take, drop, ...staged } = await stageRequest(ctx, operation, parsed, stager);
  const waits = operation.waits(params);
  const answer = acceptedAnswer(ctx, id);
  try {
    await submitJob(ctx, { id, actor, operation, params, ...staged, ...webhookUrl }, async (tx) => {
      await take(tx);
      if (claim) await (waits ? bindToJob(tx, claim, id) : recordAnswer(tx, claim, answer));
    });
  } catch (thrown) {
    await drop().catch((err) => ctx.log.warn({ err }, 'input left for clean-up'));
    throw thrown;
  }
  ctx.log.info({ requestId: id, operation: operation.id, accountId }, 'job accepted');
  return waits ? { answer, awaitedJobId: id } : { answer };
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
