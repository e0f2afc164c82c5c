import type { Operation } from '../../../models/operation/define-operation.ts';
import { isRequestError, OperationError } from '../../../models/operation/errors.ts';
import { createRequestId } from '../../../models/operation/job/job.ts';
import { formatUsd } from '../../../models/operation/money.ts';
import { parseParams } from '../../../models/operation/params.ts';
import { placeOperation } from '../../../models/operation/place-operation.ts';
import { parseRequest } from '../../../models/operation/request.ts';
import { readPlace } from '../../../models/operation/run-place.ts';
import { operationFor } from '../../../models/test-mode/operation-for.ts';
import { type Context, getOperations } from '../../context.ts';
import { assertFailureBudget, expectedRunSeconds, recordFailures } from '../../jobs/index.ts';
import type { Actor } from '../../keys/index.ts';
import { assertEngines } from '../engines/assert-engines.ts';
import { QUOTES_PER_MINUTE } from '../limits/limits.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import { createBucketId, rateLimitExceeded, takeToken } from '../limits/rate-limit.ts';
import { quoteRequestSchema } from '../openapi/account-schemas.ts';
import { annotateBody } from '../request-log/annotate-request.ts';
import { assertAllowed, assertQuoteAdmitted } from '../submit/admission.ts';
import { discardFiles, ingestInput } from '../submit/ingest-file.ts';
import { jsonResponse } from '../transport/problem.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-json.ts';
import { findAvailableEngine } from './next-engine.ts';

const RATE = { perSecond: QUOTES_PER_MINUTE / 60, burst: QUOTES_PER_MINUTE };

/**
 * Handles POST /v2/quotes: price, usual time and engine of a request, without making a job of it.
 * @throws OperationError of the request's faults, `model_not_found`, `forbidden`, `insufficient_balance` or
 *   `too_many_requests`
 */
export async function createQuote(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  const { accountId } = actor;
  const { allowed } = await takeToken(ctx, createBucketId('quotes', accountId), RATE);
  if (!allowed) throw rateLimitExceeded();
  const room = getProcessLimits(ctx.env).acquireRequest(accountId, request, FIELDS_BYTES_MAX);
  try {
    const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX, room.body));
    annotateBody(request, body);
    const { model_id, request: asked } = parseParams(quoteRequestSchema, body);
    const offered = operationFor(actor, findOperation(ctx, model_id));
    const isOwn = readPlace(asked) === 'own' && !actor.isTest;
    const operation = placeOperation(offered, isOwn ? 'own' : 'service');
    assertAllowed({ ctx, actor, modelId: model_id });
    await assertQuoteAdmitted(ctx, actor, operation);
    await assertFailureBudget(ctx, accountId);
    const parsed = parseRequest(operation, asked);
    await assertEngines(ctx, operation, parsed.params);
    const id = createRequestId(model_id, Date.now());
    const owner = { id, accountId, fetched: room.fetched, signal: request.signal };
    const input = await ingestInput(ctx, operation, parsed, owner).catch(async (thrown) => {
      // It costs nothing, but may have been fetched and probed.
      if (isRequestError(thrown)) await recordFailures(ctx, accountId, 1);
      throw thrown;
    });
    await discardFiles(ctx, [input.ingested]);
    const { facts, price } = input;
    return jsonResponse(200, {
      model_id,
      price_usd: formatUsd(price),
      expected_seconds: await expectedRunSeconds(ctx.db, { operationId: model_id, price }),
      // A machine of the account has engines of its own.
      engine: isOwn ? null : await findEngine(ctx, operation, parsed.params),
      facts,
    });
  } finally {
    room.release();
  }
}

function findOperation(ctx: Context, modelId: string): Operation {
  const operations = getOperations(ctx);
  const operation = Object.hasOwn(operations, modelId) ? operations[modelId] : undefined;
  if (operation) return operation;
  throw new OperationError('model_not_found', `Model '${modelId}' not found or disabled`, {
    field: 'model_id',
  });
}

/**
 * Returns the engine that the params name, or else the best available one that can do what they ask; null where there
 * is only one way.
 * @throws OperationError `unavailable`, as the request itself would
 */
async function findEngine(ctx: Context, operation: Operation, params: object): Promise<string | null> {
  const { engines } = operation;
  if (!engines) return null;
  const named = 'engine' in params ? String(params.engine) : 'auto';
  if (named !== 'auto') return named;
  return await findAvailableEngine(ctx, operation, ({ id }) => operation.serves(id, params));
}
