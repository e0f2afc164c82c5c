import type { RecentResult } from '../../studio/runs/stored-results.ts';
import { TOOLS } from '../../studio/tools/tools.ts';

/** Results of one job. */
export interface ResultGroup {
  /** Unique among the groups of a list. */
  readonly key: string;
  /** Name of the tool; undefined where it is unknown. */
  readonly tool: string | undefined;
  /** Names of the files that the results were made from. */
  readonly sources: readonly string[];
  readonly madeAtMs: number;
  readonly results: readonly RecentResult[];
}

/**
 * Groups the results that a search finds by their jobs, in the order of the newest result of each.
 * @param query part of the name of a result, a source or a tool; empty for all
 */
export function groupResults(results: readonly RecentResult[], query: string): readonly ResultGroup[] {
  const words = query.trim().toLowerCase();
  const groups = new Map<string, RecentResult[]>();
  for (const result of results) {
    const { id, name, origin } = result;
    const texts = [name, origin?.source ?? '', getTool(result) ?? ''];
    if (!texts.some((text) => text.toLowerCase().includes(words))) continue;
    const key = origin?.job ?? `result ${id}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups].map(([key, own]) => ({
    key,
    tool: own[0] && getTool(own[0]),
    sources: [...new Set(own.flatMap(({ origin }) => origin?.source ?? []))],
    madeAtMs: own[0]?.madeAtMs ?? 0,
    results: own,
  }));
}

function getTool({ origin }: RecentResult): string | undefined {
  // An earlier version may have stored a tool that is gone.
  return origin && Object.hasOwn(TOOLS, origin.operationId) ? TOOLS[origin.operationId].name : undefined;
}
