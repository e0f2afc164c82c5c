import { batchId, parseBatch } from '../../models/batch.ts';
import { newRequestId } from '../../models/job.ts';
import type { RegisteredOperation } from '../../models/registry.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../keys/index.ts';
import { acceptJob, assertAllowed, webhookUrlOf } from './accept-job.ts';
import { type Accepted, answerOnce, type Call } from './answer-once.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import { bodyBytesMax } from './read-json.ts';
import { stageBatch } from './stage-batch.ts';

/** POST of many requests of one operation: one job and one hold, of which only what succeeds is taken. */
export async function submitBatch(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: RegisteredOperation,
): Promise<Response> {
  const modelId = batchId(operation.id);
  assertAllowed(ctx, actor, modelId);
  const call = { ctx, request, actor, operation };
  // All items together have the room that one has.
  return await answerOnce(call, bodyBytesMax(operation), (body, claim) => accept(call, modelId, body, claim));
}

async function accept(
  call: Call,
  modelId: string,
  body: object,
  claim: IdempotencyClaim | undefined,
): Promise<Accepted> {
  const { ctx, request, operation } = call;
  const requests = parseBatch(operation, body);
  const webhookUrl = await webhookUrlOf(ctx, request);
  const id = newRequestId(modelId, Date.now());
  const { items, settled, price, ...staged } = await stageBatch(call, requests, id);
  return await acceptJob(call, claim, {
    ...{ id, modelId, price, staged, params: { items }, settled, facts: {} },
    ...{ ...webhookUrl, waits: false },
  });
}
