import type { Outcome } from './outcome.ts';

/** Most that the median of the healthy part may be of the baseline's. */
export const LATENCY_RATIO_MAX = 2;

/**
 * Names what a scenario has broken: nothing may be lost, charged wrongly, run to its end twice or end in an error, and
 * the part of the cluster that was left alone is at most twice as slow as without the fault.
 * @param baselineMs median latency without any fault; null when it was not measured
 * @param ledgerFaults sentences of the reconciliation of the wallets
 */
export function judge(
  outcome: Outcome,
  baselineMs: number | null,
  ledgerFaults: readonly string[],
): readonly string[] {
  const counts: readonly (readonly [number, string])[] = [
    [outcome.failed, 'FAILED'],
    [outcome.inError, 'in ERROR'],
    [outcome.unfinished, 'unfinished'],
    [outcome.lost, 'lost'],
    [outcome.refused, 'never accepted'],
    [outcome.orphans, 'that no one sent'],
    [outcome.unreadable, 'with an unreadable result'],
    [outcome.wronglyCharged, 'wrongly charged'],
  ];
  const faults = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  if (outcome.runsToEndMax > 1) faults.push(`a job ran to its end ${outcome.runsToEndMax} times`);
  const ratio = latencyRatio(outcome, baselineMs);
  if (ratio !== null && ratio > LATENCY_RATIO_MAX) faults.push(`latency ×${ratio.toFixed(1)}`);
  return [...faults, ...ledgerFaults];
}

/** Returns the median of the healthy part as a multiple of the baseline's; null where either is missing. */
export function latencyRatio({ healthyMs }: Outcome, baselineMs: number | null): number | null {
  return healthyMs === null || baselineMs === null ? null : healthyMs.median / baselineMs;
}
