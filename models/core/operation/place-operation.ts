import type { Operation } from './define-operation.ts';
import type { RunPlace } from './run-place.ts';

/** Returns an operation with the same params, checks and limits, which costs nothing. */
export function freeOfCharge(operation: Operation): Operation {
  return operation.priced(Object.fromEntries(Object.keys(operation.rates).map((unit) => [unit, 0n])));
}

/**
 * Returns an operation as a job sees it that runs in a place. On a machine of the account itself it costs nothing,
 * needs no engine of the service, and neither gives nor takes a cached result.
 */
export function placeOperation(operation: Operation, place: RunPlace): Operation {
  if (place === 'service') return operation;
  const { cacheHours: _, ...placed } = freeOfCharge(operation);
  return { ...placed, engineNeeds: () => [] };
}
