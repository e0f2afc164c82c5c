import type { BatchItem } from '../runs/batch.ts';

/** Says in a few words why a result is of no use as it is; undefined for any other. */
export type IssueOf = (item: BatchItem) => string | undefined;

/** Returns the items whose results belong in a download: all without a flaw, or all where each has one. */
export function usableItems(items: readonly BatchItem[], getIssue: IssueOf): readonly BatchItem[] {
  const done = items.filter(({ state }) => state.phase === 'done');
  const sound = done.filter((item) => getIssue(item) === undefined);
  return sound.length > 0 ? sound : done;
}
