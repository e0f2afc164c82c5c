import { z } from 'zod';
import { failItem, findDuplicates, findModel, parseBatch } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { isRequestError, OperationError } from '../../../models/core/operation/errors.ts';
import { createRequestId } from '../../../models/core/operation/job.ts';
import { errorCodeSchema, errorFieldSchema } from '../../../models/core/operation/job-view.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { placeOperation } from '../../../models/core/operation/operation-price.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { type OperationRequest, parseItem, parseRequest } from '../../../models/core/operation/request.ts';
import { readPlace } from '../../../models/core/operation/run-place.ts';
import { operationFor } from '../../../models/test-mode/create-test-operation.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { RetryWindow } from '../../io/fetching/index.ts';
import { assertFailureBudget, expectedRunSeconds, recordFailures } from '../../jobs/index.ts';
import { describeBody, describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { assertAllowed, assertPartsAllowed, assertQuoteAdmitted } from '../submit/admission.ts';
import { assertEngines, findAvailableEngine } from '../submit/assert-engines.ts';
import { FETCH_MS, isItemFault, TOO_SLOW } from '../submit/ingest-batch.ts';
import { discardFiles, type FileFindings, ingestInput } from '../submit/ingest-file.ts';
import { resolvePresets } from '../submit/resolve-presets.ts';
import type { Allowance } from '../transport/keyed-limit.ts';
import { jsonResponse } from '../transport/problem.ts';
import { getProcessLimits, QUOTES_PER_MINUTE } from '../transport/process-limits.ts';
import { assertRate, createBucketId } from '../transport/rate-limit.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-request.ts';
import { annotateBody } from '../transport/request-log.ts';
import { ownUploads } from '../upload-view.ts';

const RATE = {
  counts: 'quotes of this account',
  perSecond: QUOTES_PER_MINUTE / 60,
  burst: QUOTES_PER_MINUTE,
};

const quoteRequestSchema = z.strictObject({
  model_id: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'The operation, or its batches.', example: 'upscale' }),
  request: z
    .looseObject({})
    .meta({ description: 'Body of the request to the operation, as it would be sent.' }),
});

const PRICE = z.string().meta({
  description: 'A decimal amount in US dollars; of a batch the sum of its items.',
  example: '0.002',
});
const MODEL_ID = z.string().meta({ description: 'The operation, or its batches.' });

const quoteSchema = z
  .object({
    model_id: MODEL_ID,
    price_usd: PRICE,
    steps: z
      .record(z.string(), z.object({ price_usd: z.string() }))
      .optional()
      .meta({ description: 'For a pipeline: the `price_usd` of each step, by its id.' }),
    expected_seconds: z.number().min(0).nullable().meta({
      description:
        'Usual time of such a run on this service, without the wait for its turn; null while too few have run, with a test key, and for a machine of your own.',
    }),
    engine: z.string().nullable().meta({
      description:
        'Engine that would run now; null for an operation with only one, and where the model depends on the pixels, as for upscale.',
    }),
    facts: z.looseObject({ mediaType: z.string().meta({ description: 'By the bytes.' }) }).meta({
      description: 'Facts about the input that the price depends on.',
    }),
  })
  .meta({ id: 'Quote' });

/** Prices of a batch and of its items. */
const batchQuoteSchema = z
  .object({
    model_id: MODEL_ID,
    price_usd: PRICE,
    items: z
      .array(
        z.union([
          z.object({ price_usd: z.string().meta({ description: 'Price of the item.' }) }),
          z.object({
            error: z.string().meta({ description: 'Why the item would be refused.' }),
            code: errorCodeSchema,
            field: errorFieldSchema.optional(),
          }),
        ]),
      )
      .meta({ description: 'Price or error of each item, in order. One that repeats another is free.' }),
  })
  .meta({ id: 'BatchQuote' });

/** Items of a batch that are looked at concurrently. */
const LANES = 6;

/** Price, usual time and engine of a request, without making a job of it. */
export const createQuote = defineRoute({
  method: 'POST',
  path: '/v2/quotes',
  permission: 'account.see',
  isForTokens: true,
  docs: {
    operationId: 'createQuote',
    tag: 'jobs',
    summary: 'Price of a request before it is sent',
    description: `Fetches and checks the input as the request itself would, and charges nothing. An upload stays usable. The body has at most 1 MB: give a larger file by its URL. An account may ask for ${QUOTES_PER_MINUTE} quotes a minute. Each distinct item of a batch counts as one: after a large batch, the next quote has to wait.`,
    requestBody: describeBody(quoteRequestSchema),
    responses: {
      '200': describeResponse('The quote.', z.union([quoteSchema, batchQuoteSchema])),
      ...describeProblems([
        'bad_request',
        'unfetchable',
        'source_unavailable',
        'unsupported',
        'too_large',
        'model_not_found',
        'body_too_large',
        'unsupported_encoding',
        'unauthorized',
      ]),
      ...describeProblems([
        'insufficient_balance',
        'forbidden',
        'too_many_requests',
        'unavailable',
        'storage_full',
        'engine_unavailable',
        'category_unavailable',
      ]),
    },
  },
  async handle({ ctx, request, actor }) {
    const { accountId } = actor;
    // 1. Count the quote.
    await countQuotes(ctx, accountId, 1);
    const room = getProcessLimits(ctx.env).acquireRequest(accountId, request, FIELDS_BYTES_MAX);
    try {
      // 2. Receive the body.
      const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX, room.body));
      annotateBody(request, body);
      const { model_id: modelId, request: asked } = parseParams(quoteRequestSchema, body);
      const model = findModel(getOperations(ctx), modelId);
      if (!model) throw modelNotFound(modelId);
      const offered = operationFor(actor, model.operation);
      const isOwn = readPlace(asked) === 'own' && !actor.isTest;
      const operation = placeOperation(offered, isOwn ? 'own' : 'service');
      // 3. Authorize and admit.
      assertAllowed({ ctx, actor, operation, modelId });
      await assertQuoteAdmitted(ctx, actor, operation);
      await assertFailureBudget(ctx, accountId);
      // 4. Look at the input, or those of the batch, and price it.
      const resolved = await resolvePresets({ ctx, actor, operation }, asked);
      const { signal } = request;
      const asker = { ctx, actor, operation, fetched: room.fetched, retries: new RetryWindow(), signal };
      if (model.isBatch)
        return jsonResponse(200, { model_id: modelId, ...(await quoteBatch(asker, resolved)) });
      const parsed = parseRequest(operation, resolved);
      const { facts, price } = await quoteItem(asker, parsed);
      // 5. Respond.
      return jsonResponse(200, {
        model_id: modelId,
        price_usd: formatUsd(price),
        ...(operation.isComposite && { steps: quoteSteps(operation, facts, parsed.params) }),
        expected_seconds: await expectedRunSeconds(ctx.db, { operationId: modelId, price }),
        // A self-hosted worker has its own engines.
        engine: isOwn ? null : await findEngine(ctx, operation, parsed.params),
        facts,
      });
    } finally {
      room.release();
    }
  },
});

function quoteSteps(operation: Operation, facts: object, params: object): object {
  const prices = Object.entries(operation.partPrices(facts, params));
  return Object.fromEntries(prices.map(([id, price]) => [id, { price_usd: formatUsd(price) }]));
}

/** Request for a quote. */
interface Asker {
  readonly ctx: Context;
  readonly actor: Actor;
  readonly operation: Operation;
  readonly fetched: Pick<Allowance, 'grow'>;
  readonly retries: RetryWindow;
  readonly signal: AbortSignal;
}

/** @throws OperationError `too_many_requests` */
async function countQuotes(ctx: Context, accountId: string, count: number): Promise<void> {
  await assertRate(ctx, createBucketId('quotes', accountId), RATE, count);
}

/**
 * Ingests an input to learn its facts and price, and keeps nothing of it. A refused one counts as a failure.
 * @throws OperationError as the request itself would
 */
async function quoteItem(
  { ctx, actor, operation, ...asking }: Asker,
  parsed: OperationRequest,
): Promise<FileFindings> {
  assertPartsAllowed({ ctx, actor, operation }, parsed.params);
  await assertEngines(ctx, operation, parsed.params);
  const { accountId } = actor;
  const id = createRequestId(operation.id, Date.now());
  const owner = { id, accountId, uploads: ownUploads(actor), digests: new Map(), ...asking };
  const input = await ingestInput(ctx, operation, parsed, owner).catch(async (thrown) => {
    // It costs nothing, but may have been fetched and probed.
    if (isRequestError(thrown)) await recordFailures(ctx, accountId, 1);
    throw thrown;
  });
  await discardFiles(ctx, [input.ingested]);
  return input;
}

/** Prices the items of a batch: an item that is refused hinders no other, and one that repeats another has its outcome. */
async function quoteBatch(asker: Asker, asked: object) {
  const { ctx, actor, operation, signal: left } = asker;
  const { items } = parseBatch(operation, asked);
  const duplicates = findDuplicates(operation, items);
  const own = [...items.entries()].filter(([position]) => !duplicates.has(position));
  if (own.length > 1) await countQuotes(ctx, actor.accountId, own.length - 1);
  const signal = createTimeoutSignal(FETCH_MS, left);
  const quotes = new Map<number, MicroUsd | OperationError>();
  await mapConcurrent(own, LANES, async ([position, item]) => {
    try {
      quotes.set(position, (await quoteItem({ ...asker, signal }, parseItem(operation, item))).price);
    } catch (thrown) {
      if (isItemFault(thrown)) quotes.set(position, thrown);
      else if (!signal.aborted || left.aborted) throw thrown;
      else quotes.set(position, TOO_SLOW);
    }
  });
  let sum = 0n;
  const quoted = items.map((_, position) => {
    const quote = quotes.get(duplicates.get(position) ?? position) ?? 0n;
    if (quote instanceof OperationError) {
      const { status: _, ...fault } = failItem(position, quote);
      return fault;
    }
    const price = duplicates.has(position) ? 0n : quote;
    sum += price;
    return { price_usd: formatUsd(price) };
  });
  return { price_usd: formatUsd(sum), items: quoted };
}

function modelNotFound(modelId: string): OperationError {
  return new OperationError('model_not_found', `Model '${modelId}' not found or disabled`, {
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
