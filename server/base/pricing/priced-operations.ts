import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import type { Pricing } from './pricing-file.ts';

const known = new WeakMap<Pricing, typeof OPERATIONS>();

/** Returns the operations with the prices of the terms, the same ones for the same terms. */
export function applyPricing(terms: Pricing): typeof OPERATIONS {
  const operations = known.get(terms) ?? withPrices(terms);
  known.set(terms, operations);
  return operations;
}

function withPrices({ prices }: Pricing): typeof OPERATIONS {
  const priced = Object.values<Operation>(OPERATIONS).map((operation) => [
    operation.id,
    operation.priced(prices[operation.id as keyof typeof prices] ?? {}),
  ]);
  return Object.fromEntries(priced) as typeof OPERATIONS;
}
