import { batchId, parseBatch } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { createRequestId } from '../../../models/core/operation/job.ts';
import { placeOperation } from '../../../models/core/operation/place-operation.ts';
import type { Context } from '../../base/context/context.ts';
import { assertFailureBudget } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { inSpan, SPAN } from '../../base/tracing/index.ts';
import { bodyBytesMax } from '../transport/read-json.ts';
import { acceptJob, assertAllowed, choosePlace, readWebhookUrl } from './accept-job.ts';
import { admitRequest } from './admission.ts';
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
  // All items together have the size limit of a single request.
  const admission = await admitRequest(call, bodyBytesMax(operation));
  return await respondIdempotently(call, admission, (begun) => accept(call, modelId, begun));
}

async function accept(
  asked: BillableCall,
  modelId: string,
  { body, claim, fetched }: ParsedRequest,
): Promise<Accepted> {
  const { ctx, actor } = asked;
  await assertFailureBudget(ctx, actor.accountId);
  const { items: requests, labels, ...parsed } = parseBatch(asked.operation, body);
  const place = choosePlace(actor, parsed.place);
  const call = { ...asked, operation: placeOperation(asked.operation, place) };
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
    place,
    labels,
    ...webhookUrl,
    waits: false,
  });
}
