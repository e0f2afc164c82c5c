import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isRequestError, OperationError } from '../../../models/core/operation/errors.ts';
import { createRequestId } from '../../../models/core/operation/job.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { placeOperation } from '../../../models/core/operation/place-operation.ts';
import { parseRequest } from '../../../models/core/operation/request.ts';
import { readPlace } from '../../../models/core/operation/run-place.ts';
import { operationFor } from '../../../models/test-mode/operation-for.ts';
import { type Context, getOperations } from '../../base/context/context.ts';
import { assertFailureBudget, expectedRunSeconds, recordFailures } from '../../jobs/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { assertEngines } from '../engines/assert-engines.ts';
import { QUOTES_PER_MINUTE } from '../limits/limits.ts';
import { getProcessLimits } from '../limits/process-limits.ts';
import { createBucketId, rateLimitExceeded, takeToken } from '../limits/rate-limit.ts';
import { quoteRequestSchema } from '../openapi/account-schemas.ts';
import { noteBody } from '../request-log/note-request.ts';
import { assertAllowed } from '../submit/accept-job.ts';
import { assertQuoteAdmitted } from '../submit/admission.ts';
import { discardStaged, stageInput } from '../submit/stage-request.ts';
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
  const bounds = getProcessLimits(ctx.env);
  const declaredBytes = Number(request.headers.get('content-length') ?? 0);
  const room = bounds.acquireBody(accountId, Math.min(declaredBytes, FIELDS_BYTES_MAX));
  const fetched = bounds.fetched.acquire(accountId, 0);
  try {
    const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX, room));
    noteBody(request, body);
    const { model_id, request: asked } = parseParams(quoteRequestSchema, body);
    const offered = operationFor(actor, findOperation(ctx, model_id));
    const isOwn = readPlace(asked) === 'own' && !actor.isTest;
    const operation = placeOperation(offered, isOwn ? 'own' : 'service');
    assertAllowed(ctx, actor, model_id);
    await assertQuoteAdmitted(ctx, actor, operation);
    await assertFailureBudget(ctx, accountId);
    const parsed = parseRequest(operation, asked);
    await assertEngines(ctx, operation, parsed.params);
    const id = createRequestId(model_id, Date.now());
    const stager = { id, accountId, fetched, signal: request.signal };
    const { staged, found } = await stageInput(ctx, operation, parsed, stager).catch(async (thrown) => {
      // It costs nothing, but may have been fetched and probed.
      if (isRequestError(thrown)) await recordFailures(ctx, accountId, 1);
      throw thrown;
    });
    await discardStaged(ctx, [staged]);
    const { facts, price } = found;
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
    fetched.release();
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
