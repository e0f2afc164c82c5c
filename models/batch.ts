import { z } from 'zod';
import type { Operation } from './operation.ts';
import { parseParams } from './params.ts';
import { requestSchema } from './request.ts';

/** One item of a batch that is to be run. */
export interface BatchItem {
  /** In the request, and of its input among the job's. */
  readonly position: number;
  readonly params: Readonly<Record<string, unknown>>;
  /** About its input. */
  readonly facts: object;
  /** In micro-USD, as a decimal string. */
  readonly price: string;
  /** Positions among the job's attachments, by the name of the param. */
  readonly attachments: Readonly<Record<string, number>>;
  /** SHA-256, in hex, of what its result depends on, where that may answer the same again. */
  readonly cacheKey?: string;
}

/** The params of a job that is a batch. What was wrong, or has a result already, is not among the items. */
export interface BatchParams {
  readonly items: readonly BatchItem[];
}

/** What became of an item. */
export type BatchOutcome =
  | ({ readonly status: 'success' } & Readonly<Record<string, unknown>>)
  | { readonly status: 'failed'; readonly error: string };

/** The model_id under which batches of an operation are asked for, allowed and listed. */
export function batchId<Id extends string>(operationId: Id): `${Id}-batch` {
  return `${operationId}-batch`;
}

/** The HTTP path below `/api` that takes batches of an operation. */
export function batchPath({ path }: Pick<Operation, 'path'>): string {
  return `${path}/batch`;
}

/** Which operation a model_id names, and whether it names its batches. */
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

/** The JSON body of a batch. @param item what each of the items is checked by */
export function batchSchema(operation: Operation, item: z.ZodType = requestSchema(operation)): z.ZodObject {
  const { itemsMax = 0, shared = [] } = operation.batch ?? {};
  const params = shared.map((name) => [name, withoutDefault(operation.params.shape[name])] as const);
  return z.strictObject({ items: z.array(item).min(1).max(itemsMax), ...Object.fromEntries(params) });
}

/**
 * Checks a batch as far as it is one; each of its items stands for itself.
 * @returns the items with what is shared filled in
 * @throws OperationError `bad_request` naming the field at fault
 */
export function parseBatch(operation: Operation, body: unknown): readonly unknown[] {
  const { items, ...shared } = parseParams(batchSchema(operation, z.unknown()), body);
  return (items as unknown[]).map((item) =>
    typeof item === 'object' && item !== null ? { ...shared, ...item } : item,
  );
}

function withoutDefault(schema: z.core.$ZodType | undefined): z.ZodType {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return z.optional(inner as z.ZodType);
}
