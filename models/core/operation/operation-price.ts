import type { Operation } from './define-operation.ts';
import type { MicroUsd } from './money.ts';
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

/** Returns the lowest price that a request of any of these operations can have: 0 without a price list. */
export function lowestPrice(operations: readonly Pick<Operation, 'rates'>[]): MicroUsd {
  const amounts = operations.flatMap(({ rates }) => Object.values(rates).map(({ amount }) => amount));
  const free = operations.some(({ rates }) => Object.keys(rates).length === 0);
  const [first, ...others] = amounts;
  if (first === undefined || free) return 0n;
  return others.reduce((lowest, amount) => (amount < lowest ? amount : lowest), first);
}
