import { batchId, parseBatch } from '../../../models/operation/batch.ts';
import type { Operation } from '../../../models/operation/define-operation.ts';
import { createRequestId } from '../../../models/operation/job.ts';
import type { Context } from '../../context.ts';
import { assertFailureBudget } from '../../jobs/index.ts';
import type { Actor } from '../../keys/index.ts';
import { inSpan, SPAN } from '../../tracing/index.ts';
import { bodyBytesMax } from '../transport/read-json.ts';
import { acceptJob, assertAllowed, readWebhookUrl } from './accept-job.ts';
import { assertAdmitted } from './admission.ts';
import {
  type Accepted,
  type BillableCall,
  type ParsedRequest,
  respondIdempotently,
} from './respond-idempotently.ts';
import { stageBatch } from './stage-batch.ts';

/** Handles the POST of a batch: one job and one hold, of which only successes are charged. */
export async function submitBatch(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: Operation,
): Promise<Response> {
  const modelId = batchId(operation.id);
  assertAllowed(ctx, actor, modelId);
  const call = { ctx, request, actor, operation };
  await assertAdmitted(call);
  // All items together have the size limit of a single request.
  return await respondIdempotently(call, bodyBytesMax(operation), (begun) => accept(call, modelId, begun));
}

async function accept(
  call: BillableCall,
  modelId: string,
  { body, claim, fetched }: ParsedRequest,
): Promise<Accepted> {
  const { ctx, actor, operation } = call;
  await assertFailureBudget(ctx, actor.accountId);
  const { items: requests, labels } = parseBatch(operation, body);
  const webhookUrl = await readWebhookUrl(call);
  const id = createRequestId(modelId, Date.now());
  const stage = (inner: Context) => stageBatch({ ...call, ctx: inner }, requests, { id, fetched });
  const { items, settled, price, ...staged } = await inSpan(ctx, SPAN.stage, stage);
  return await acceptJob(call, claim, {
    id,
    modelId,
    price,
    staged,
    params: { items },
    settled,
    facts: {},
    lane: 'batch',
    labels,
    ...webhookUrl,
    waits: false,
  });
}
