import type { MicroUsd } from './money.ts';

/** Line of the price list: the price of one unit on the server. */
export interface Rate {
  readonly amount: MicroUsd;
  /** Unit in the reader's words: `image`, `started second`. */
  readonly per: string;
}

/** Returns the amount of each rate. */
export function amountsOf<Unit extends string>(rates: Readonly<Record<Unit, Rate>>): Record<Unit, MicroUsd> {
  const entries = Object.entries<Rate>(rates).map(([unit, { amount }]) => [unit, amount]);
  return Object.fromEntries(entries) as Record<Unit, MicroUsd>;
}

/** Returns the rates with other amounts, by unit; the others stay. */
export function withAmounts<Unit extends string>(
  rates: Readonly<Record<Unit, Rate>>,
  amounts: Readonly<Record<string, MicroUsd>>,
): Readonly<Record<Unit, Rate>> {
  const entries = Object.entries<Rate>(rates).map(([unit, rate]) => [
    unit,
    { ...rate, amount: amounts[unit] ?? rate.amount },
  ]);
  return Object.fromEntries(entries) as Record<Unit, Rate>;
}
