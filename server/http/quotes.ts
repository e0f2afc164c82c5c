import { isRequestFault, OperationError } from '../../models/errors.ts';
import { newRequestId } from '../../models/job.ts';
import { formatUsd } from '../../models/money.ts';
import type { Operation } from '../../models/operation.ts';
import { parseParams } from '../../models/params.ts';
import { parseRequest } from '../../models/request.ts';
import { type Context, operationsOf } from '../context.ts';
import { assertMayFail, expectedRunSeconds, recordFailures } from '../jobs/index.ts';
import type { Actor } from '../keys/index.ts';
import { assertAllowed } from './accept-job.ts';
import { quoteRequestSchema } from './account-schemas.ts';
import { assertQuoteAdmitted } from './admission.ts';
import { availableEngine } from './next-engine.ts';
import { jsonResponse } from './problem.ts';
import { processBounds } from './process-bounds.ts';
import { bucketOf, rateLimited, takeToken } from './rate-limit.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from './read-json.ts';
import { dropStaged, stageInput } from './stage-request.ts';
import { QUOTES_PER_MINUTE } from './terms.ts';

const RATE = { perSecond: QUOTES_PER_MINUTE / 60, burst: QUOTES_PER_MINUTE };

/**
 * Handles POST /v2/quotes: price, usual time and engine of a request, without making a job of it.
 * @throws OperationError of the request's faults, `model_not_found`, `forbidden`, `insufficient_balance` or
 *   `too_many_requests`
 */
export async function createQuote(ctx: Context, request: Request, actor: Actor): Promise<Response> {
  const { accountId } = actor;
  const { allowed } = await takeToken(ctx, bucketOf('quotes', accountId), RATE);
  if (!allowed) throw rateLimited();
  const bounds = processBounds(ctx.env);
  const declaredBytes = Number(request.headers.get('content-length') ?? 0);
  const room = bounds.enterBody(accountId, Math.min(declaredBytes, FIELDS_BYTES_MAX));
  const fetched = bounds.fetched.enter(accountId, 0);
  try {
    const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX, room));
    const { model_id, request: asked } = parseParams(quoteRequestSchema, body);
    const operation = operationOf(ctx, model_id);
    assertAllowed(ctx, actor, model_id);
    await assertQuoteAdmitted(ctx, actor, operation);
    await assertMayFail(ctx, accountId);
    const parsed = parseRequest(operation, asked);
    const id = newRequestId(model_id, Date.now());
    const stager = { id, accountId, fetched, signal: request.signal };
    const { staged, found } = await stageInput(ctx, operation, parsed, stager).catch(async (thrown) => {
      // It costs nothing, but may have been fetched and probed.
      if (isRequestFault(thrown)) await recordFailures(ctx, accountId, 1);
      throw thrown;
    });
    await dropStaged(ctx, [staged]);
    const { facts, price } = found;
    return jsonResponse(200, {
      ...{ model_id, price_usd: formatUsd(price) },
      expected_seconds: await expectedRunSeconds(ctx.db, { operationId: model_id, price }),
      engine: await engineOf(ctx, operation, parsed.params),
      facts,
    });
  } finally {
    room.leave();
    fetched.leave();
  }
}

function operationOf(ctx: Context, modelId: string): Operation {
  const operations = operationsOf(ctx);
  const operation = Object.hasOwn(operations, modelId) ? operations[modelId] : undefined;
  if (operation) return operation;
  throw new OperationError('model_not_found', `Model '${modelId}' not found or disabled`);
}

/**
 * Returns the engine that the params name, or else the best available one that can do what they ask; null where there is only
 * one way.
 * @throws OperationError `unavailable`, as the request itself would
 */
async function engineOf(ctx: Context, operation: Operation, params: object): Promise<string | null> {
  const { engines } = operation;
  if (!engines) return null;
  const named = 'engine' in params ? String(params.engine) : 'auto';
  if (named !== 'auto') return named;
  return await availableEngine(
    ctx,
    engines.filter(({ id }) => operation.serves(id, params)),
  );
}
