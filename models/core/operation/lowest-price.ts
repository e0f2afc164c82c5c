import type { Operation } from './define-operation.ts';
import type { MicroUsd } from './money.ts';

/** Returns the lowest price that a request of any of these operations can have: 0 without a price list. */
export function lowestPrice(operations: readonly Pick<Operation, 'rates'>[]): MicroUsd {
  const amounts = operations.flatMap(({ rates }) => Object.values(rates).map(({ amount }) => amount));
  const free = operations.some(({ rates }) => Object.keys(rates).length === 0);
  const [first, ...others] = amounts;
  if (first === undefined || free) return 0n;
  return others.reduce((lowest, amount) => (amount < lowest ? amount : lowest), first);
}
