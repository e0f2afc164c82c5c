import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import { isRequestError, OperationError } from '../../../models/core/operation/errors.ts';
import { createRequestId } from '../../../models/core/operation/job.ts';
import { placeOperation } from '../../../models/core/operation/place-operation.ts';
import { type OperationRequest, parseRequest } from '../../../models/core/operation/request.ts';
import type { Context } from '../../base/context/context.ts';
import { assertFailureBudget, recordFailures } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { inSpan, SPAN } from '../../base/tracing/index.ts';
import { assertEngines } from '../engines/assert-engines.ts';
import { bodyBytesMax } from '../transport/read-json.ts';
import { readPreferences } from '../transport/read-preferences.ts';
import {
  acceptJob,
  assertAllowed,
  assertReachableTargets,
  choosePlace,
  readWebhookUrl,
} from './accept-job.ts';
import { admitRequest } from './admission.ts';
import {
  buildCachedResponse,
  computeCacheKey,
  describeCachedResult,
  findCachedRequest,
} from './cached-response.ts';
import { recordResponse } from './idempotency.ts';
import {
  type Accepted,
  type BillableCall,
  type ParsedRequest,
  respondIdempotently,
} from './respond-idempotently.ts';
import { type StagedRequest, type Stager, stageRequest } from './stage-request.ts';

/** Shortest remaining lifetime of a cached result. */
const MINUTES_LEFT_MIN = 10;

/** Handles the POST of an operation: a job exists once hold, job and queue entry are written in one transaction. */
export async function submitOperation(
  ctx: Context,
  request: Request,
  actor: Actor,
  operation: Operation,
): Promise<Response> {
  assertAllowed(ctx, actor, operation.id);
  const call = { ctx, request, actor, operation };
  const admission = await admitRequest(call, bodyBytesMax(operation));
  return await respondIdempotently(call, admission, (parsed) => acceptRequest(call, parsed));
}

/**
 * Makes a job of a request's body.
 * @param rerun of an earlier job, whose input had this SHA-256: nobody waits for it
 * @throws OperationError of the request's faults, `insufficient_balance`, those of `assertEngines`; `conflict` when a
 * rerun's input has changed
 */
export async function acceptRequest(
  asked: BillableCall,
  { body, claim, fetched }: ParsedRequest,
  rerun?: { readonly sha256: Buffer },
): Promise<Accepted> {
  const { ctx, request, actor } = asked;
  await assertFailureBudget(ctx, actor.accountId);
  const parsed = parseRequest(asked.operation, body);
  const { params, labels, targets } = parsed;
  const place = choosePlace(actor, parsed.place);
  const operation = placeOperation(asked.operation, place);
  const call = { ...asked, operation };
  await assertEngines(ctx, operation, params);
  const webhookUrl = isDirectOnly(operation) ? {} : await readWebhookUrl(call);
  await assertReachableTargets(call, targets.urls);
  const id = createRequestId(operation.id, Date.now());
  const staged = await stageCounted(call, parsed, { id, fetched });
  if (rerun && !staged.files[0]?.sha256.equals(rerun.sha256)) {
    await staged.discard();
    throw new OperationError(
      'conflict',
      'The file at the URL of this job has changed since. Send it as a new request.',
    );
  }
  const cacheKey = computeCacheKey(call, params, staged.files);
  const cached = await findCachedRequest(call, cacheKey, MINUTES_LEFT_MIN).catch(async (thrown) => {
    await staged.discard();
    throw thrown;
  });
  // A result that goes to a bucket takes a job, though no run.
  if (cached && targets.urls.length === 0) {
    await staged.discard();
    const answer = await buildCachedResponse(call, cached);
    if (claim) await recordResponse(ctx.db, claim, answer);
    return { answer };
  }
  const { facts } = staged;
  // A client may ask for the polling URL at once: Prefer: respond-async (RFC 7240, section 4.1).
  const mayWait = isDirectOnly(operation) || !readPreferences(request).has('respond-async');
  const waits = !rerun && operation.waits(params) && mayWait;
  const lane = operation.laneFor(facts, params);
  return await acceptJob(call, claim, {
    id,
    modelId: operation.id,
    params,
    facts,
    lane,
    place,
    price: cached ? 0n : staged.price,
    staged,
    waits,
    labels,
    targets,
    ...webhookUrl,
    ...(waits && isDirectOnly(operation) && { secondsMax: ctx.env.SYNC_TIMEOUT_SECONDS }),
    ...(cached ? { cachedResult: describeCachedResult(cached) } : cacheKey && { cacheKey }),
  });
}

/** Stages the files of a request. One that is refused for them counts as a failure of its account. */
async function stageCounted(
  { ctx, actor, request, operation }: BillableCall,
  parsed: OperationRequest,
  own: Pick<Stager, 'id' | 'fetched'>,
): Promise<StagedRequest> {
  const stager = { ...own, accountId: actor.accountId, signal: request.signal };
  const stage = (inner: Context) => stageRequest(inner, operation, parsed, stager);
  return await inSpan(ctx, SPAN.stage, stage).catch(async (thrown) => {
    // It costs nothing, but may have been fetched and probed.
    if (isRequestError(thrown)) await recordFailures(ctx, actor.accountId, 1);
    throw thrown;
  });
}
