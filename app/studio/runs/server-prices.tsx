'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { OperationId, RunnableId } from '../../../models/registry.ts';

/** Amounts of the server's price list, by operation and unit, where they differ from the operation's own. */
export type ServerAmounts = Readonly<Partial<Record<OperationId, Readonly<Record<string, MicroUsd>>>>>;

const Amounts = createContext<ServerAmounts>({});

interface ServerPricesProps {
  readonly amounts: ServerAmounts;
  readonly children: ReactNode;
}

/** Tells the tools what runs on this server cost. */
export function ServerPrices({ amounts, children }: ServerPricesProps) {
  return <Amounts value={amounts}>{children}</Amounts>;
}

/** Returns the amounts of an operation on this server that differ from its own. */
export function useServerAmounts(operationId: RunnableId): Readonly<Record<string, MicroUsd>> {
  const amounts = useContext(Amounts);
  if (operationId !== 'pipeline') return amounts[operationId] ?? {};
  // A pipeline has the prices of its steps.
  const ofSteps = Object.entries(amounts).flatMap(([id, units]) =>
    Object.entries(units).map(([unit, amount]) => [`${id}.${unit}`, amount] as const),
  );
  return Object.fromEntries(ofSteps);
}
