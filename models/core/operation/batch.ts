import { z } from 'zod';
import { buildOnce } from '../build-once.ts';
import { requiredParams } from '../runtime/required-params.ts';
import { isEmptyResult, type StoredWarnings } from '../runtime/run-warnings.ts';
import type { UsedWeights } from '../runtime/weight-card.ts';
import type { Operation } from './define-operation.ts';
import type { ErrorCode } from './error-table.ts';
import { type JobLabels, LABEL_FIELDS } from './job-labels.ts';
import { parseParams } from './params.ts';
import { itemSchema, lifetimeField, type OperationRequest, parseItem, splitMembers } from './request.ts';
import { PLACE_FIELD, type RunPlace } from './run-place.ts';

/** Item of a batch that is to be run. */
export interface BatchItem {
  /** Position in the request; also the position of its input among the job's inputs. */
  readonly position: number;
  readonly params: Readonly<Record<string, unknown>>;
  /** Facts about the item's input. */
  readonly facts: object;
  /** Decimal string in micro-USD. */
  readonly price: string;
  /** Positions among the job's attachments, by param name. */
  readonly attachments: Readonly<Record<string, number>>;
  /** Positions of the items that repeat this one, and get its outcome. */
  readonly duplicates?: readonly number[];
  /** SHA-256, in hex, of everything the result depends on; absent where results are not cached. */
  readonly cacheKey?: string;
}

/** Params of a batch job. Invalid items and items with a cached result are not among them. */
export interface BatchParams {
  readonly items: readonly BatchItem[];
}

/** Outcome of an item. */
export type BatchOutcome =
  | ({
      readonly status: 'success';
      readonly warnings: StoredWarnings;
      /** Absent in outcomes of earlier versions. */
      readonly weights?: readonly UsedWeights[];
    } & Readonly<Record<string, unknown>>)
  | FailedItem;

/** Returns the outcome of an item that repeats another one. */
export function duplicateOutcome(outcome: BatchOutcome, position: number): BatchOutcome {
  return { ...outcome, duplicate_of: position };
}

/** Returns the price of a successful item, in micro-USD: of a pipeline's that of the steps that ran. */
export function priceOfOutcome(outcome: BatchOutcome, price: string): bigint {
  const own = outcome.status === 'success' ? outcome.charge : undefined;
  return BigInt(typeof own === 'string' ? own : price);
}

/** Reports whether an item is charged: a separate run of it has made something. */
export function isCharged(outcome: BatchOutcome | null): boolean {
  if (outcome?.status !== 'success' || outcome.cached === true) return false;
  return outcome.duplicate_of === undefined && !isEmptyResult(outcome.warnings);
}

/** Outcome of an item without a result. Those of earlier versions have a message only. */
export type FailedItem = {
  readonly status: 'failed';
  readonly error: string;
  readonly code?: ErrorCode;
  /** Path in the body of the batch: `items[0].image_url`. */
  readonly field?: string;
  readonly duplicate_of?: number;
};

/** Builds the outcome of an item that failed. @param field path within the item */
export function failItem(position: number, { code, message, field }: ItemFault): FailedItem {
  const path = field && `items[${position}].${field}`;
  return { status: 'failed', error: message, code, ...(path && { field: path }) };
}

interface ItemFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field?: string | undefined;
}

/** Returns the model_id of an operation's batches. */
export function batchId<Id extends string>(operationId: Id): `${Id}-batch` {
  return `${operationId}-batch`;
}

/** Reports whether a model_id is that of an operation's batches. */
export function isBatchId(modelId: string): boolean {
  return modelId.endsWith(batchId(''));
}

/** Returns the HTTP path below `/api` that accepts batches of an operation. */
export function batchPath({ path }: Pick<Operation, 'path'>): string {
  return `${path}/batch`;
}

/** Finds the operation that a model_id names, and whether it names its batches. */
export function findModel<Found extends Operation>(
  operations: Readonly<Record<string, Found>>,
  modelId: string,
): { readonly operation: Found; readonly isBatch: boolean } | undefined {
  for (const operation of Object.values(operations)) {
    if (operation.id === modelId) return { operation, isBatch: false };
    if (operation.batch && batchId(operation.id) === modelId) return { operation, isBatch: true };
  }
  return undefined;
}

/**
 * Builds the schema of a batch's JSON body.
 * @param item schema of each item
 */
export function batchSchema(operation: Operation, item: z.ZodType = batchItemSchema(operation)): z.ZodObject {
  const { itemsMax = 0 } = operation.batch ?? {};
  const params = sharedParams(operation);
  const items = z
    .array(item)
    .min(1)
    .max(itemsMax)
    .meta({ description: `1 to ${itemsMax} requests, each with the fields of a single one.` });
  return z.strictObject({
    items,
    ...Object.fromEntries(params),
    ...lifetimeField(operation),
    ...PLACE_FIELD,
    ...LABEL_FIELDS,
  });
}

/** Schema of a batch's own fields, whatever its items are. */
const ownSchema = buildOnce((operation: Operation) => batchSchema(operation, z.unknown()));

/**
 * Checks a batch's own fields; its items are checked one by one later.
 * @returns the items with the shared params filled in, where they run, the job's labels, and the lifetime of its result
 * @throws OperationError `bad_request` naming the invalid field
 */
export function parseBatch(
  operation: Operation,
  body: unknown,
): {
  readonly items: readonly unknown[];
  readonly place: RunPlace;
  readonly labels: JobLabels;
  readonly resultTtlHours: number | undefined;
} {
  const items = getItems(body);
  // One item's faults are its own: they must not reject the batch.
  const own = items ? { ...(body as object), items: items.map(() => null) } : body;
  const { common, others } = splitMembers(parseParams(ownSchema(operation), own));
  const { items: _, ...shared } = others;
  return {
    items: (items ?? []).map((item) =>
      typeof item === 'object' && item !== null ? { ...shared, ...item } : item,
    ),
    ...common,
  };
}

/** Builds the schema of an item as clients may send it: the batch may give the shared params in its place. */
function batchItemSchema(operation: Operation): z.ZodObject {
  const required = new Set(Object.keys(requiredParams(operation.params)));
  const params = sharedParams(operation).filter(([name]) => required.has(name));
  return itemSchema(operation).extend(Object.fromEntries(params));
}

/** Lists the params of a batch that its items share, without defaults. */
function sharedParams({ batch, params }: Operation): (readonly [name: string, schema: z.ZodType])[] {
  return (batch?.shared ?? []).map((name) => [name, withoutDefault(params.shape[name])] as const);
}

function getItems(body: unknown): readonly unknown[] | undefined {
  const items = typeof body === 'object' && body !== null && 'items' in body ? body.items : undefined;
  return Array.isArray(items) ? items : undefined;
}

function withoutDefault(schema: z.core.$ZodType | undefined): z.ZodType {
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  const inner = hasDefault ? schema.unwrap() : schema;
  const description = (schema as z.ZodType | undefined)?.description;
  const optional = z.optional(inner as z.ZodType);
  return description === undefined ? optional : optional.meta({ description });
}

/**
 * Finds the items of a batch that repeat an earlier one: the same URL with the same params. Files within the request
 * repeat none, nor does an item whose result depends on a seed that the operation draws.
 * @param requests bodies of the items; an invalid one repeats none
 * @returns positions of repeated items, with the position of the first
 */
export function findDuplicates(operation: Operation, requests: readonly unknown[]): Map<number, number> {
  const first = new Map<string, number>();
  const duplicates = new Map<number, number>();
  for (const [position, body] of requests.entries()) {
    const request = parseQuietly(operation, body);
    if (!request || !mayRepeat(operation, request)) continue;
    const identity = identify(request);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, position);
    else duplicates.set(position, earlier);
  }
  return duplicates;
}

function parseQuietly(operation: Operation, body: unknown): OperationRequest | undefined {
  try {
    return parseItem(operation, body);
  } catch {
    return undefined;
  }
}

function mayRepeat({ inputs, params: { shape } }: Operation, { field, params }: OperationRequest): boolean {
  const drawsSeed = 'seed' in shape && params.seed === undefined;
  return inputs[field]?.encoding === 'url' && !drawsSeed;
}

/** Returns a text that two requests share only if they ask for the same. */
function identify({ field, value, params }: OperationRequest): string {
  return JSON.stringify([
    field,
    value,
    Object.entries(params).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
