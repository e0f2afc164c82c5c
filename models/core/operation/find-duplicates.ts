import type { Operation } from './define-operation.ts';
import { type OperationRequest, parseItem } from './request.ts';

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
