import type { BatchItem } from '../runs/batch.ts';

/** Returns the warnings that several results have in common, each with the number of results. */
export function countSharedWarnings(items: readonly BatchItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { state } of items) {
    if (state.phase !== 'done') continue;
    for (const warning of new Set(state.result.warnings)) counts.set(warning, (counts.get(warning) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1));
}
