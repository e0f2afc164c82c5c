import { formatUsd } from '../../../models/core/operation/money.ts';

export interface SpendingRow {
  /** `2026-11-23` (UTC) */
  readonly day: string;
  readonly modelId: string;
  /** Name of the key. */
  readonly key: string;
  /** Whole number of millionths of a US dollar. */
  readonly chargedMicroUsd: string;
  readonly jobs: number;
}

/** Sum of some rows. */
export interface Total {
  readonly name: string;
  readonly usd: string;
  readonly micro: bigint;
  readonly jobs: number;
}

/** Sums rows by one of their columns, dearest first. */
export function totalsBy(rows: readonly SpendingRow[], column: 'modelId' | 'key'): Total[] {
  const sums = new Map<string, { micro: bigint; jobs: number }>();
  for (const row of rows) {
    const { micro, jobs } = sums.get(row[column]) ?? { micro: 0n, jobs: 0 };
    sums.set(row[column], { micro: micro + BigInt(row.chargedMicroUsd), jobs: jobs + row.jobs });
  }
  return [...sums]
    .map(([name, { micro, jobs }]) => ({ name, micro, jobs, usd: formatUsd(micro) }))
    .toSorted((a, b) => (a.micro < b.micro ? 1 : a.micro > b.micro ? -1 : 0));
}

/** Part of a day's bar, as shares of the scale: from `base` up by `height`, both 0 to 1. */
export interface BarPart {
  readonly modelId: string;
  readonly base: number;
  readonly height: number;
}

export interface DayBar {
  readonly day: string;
  readonly micro: bigint;
  readonly parts: readonly BarPart[];
}

/** Returns the top of a scale: the least of 1, 2, 5, 10, 20, … millionths of a US dollar that is no less than a sum. */
export function scaleTop(most: bigint): bigint {
  for (let unit = 1n; ; unit *= 10n) {
    const found = [1n, 2n, 5n].find((step) => step * unit >= most);
    if (found !== undefined) return found * unit;
  }
}

/**
 * Stacks the spending of each day.
 * @param days every day of the chart, oldest first
 * @param models order of the parts, from the bottom
 */
export function stackDays(
  rows: readonly SpendingRow[],
  days: readonly string[],
  models: readonly string[],
): { readonly bars: DayBar[]; readonly top: bigint } {
  const ofDay = (day: string) => rows.filter((row) => row.day === day);
  const getSum = (some: readonly SpendingRow[]) =>
    some.reduce((sum, { chargedMicroUsd }) => sum + BigInt(chargedMicroUsd), 0n);
  const top = scaleTop(
    days.reduce((most, day) => {
      const sum = getSum(ofDay(day));
      return sum > most ? sum : most;
    }, 0n),
  );
  const bars = days.map((day) => {
    const own = ofDay(day);
    let base = 0;
    const parts = models.flatMap((modelId) => {
      const height = Number(getSum(own.filter((row) => row.modelId === modelId))) / Number(top);
      if (height === 0) return [];
      const part = { modelId, base, height };
      base += height;
      return [part];
    });
    return { day, micro: getSum(own), parts };
  });
  return { bars, top };
}

const DAY_MS = 86_400_000;

/** Lists the last days (UTC) up to a moment, oldest first. */
export function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(now.getTime() - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}
