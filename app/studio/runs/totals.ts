import type { RunFit } from '../../../models/core/runtime/fit.ts';
import { formatCount } from '../../ui/quantities.ts';
import { nounFor } from '../files/media-kind.ts';
import type { BatchItem, ItemState } from './batch.ts';

/** Counts files in words: `3 images`. */
export function countFiles(items: readonly BatchItem[]): string {
  return formatCount(items.length, nounFor(items.map(({ file }) => file)));
}

/**
 * Returns the files that a price on the server pays for: all of them where it is unknown, or pays for none.
 * @param price names those that the server would reject
 */
export function paidFiles(
  items: readonly BatchItem[],
  price: { readonly refused: ReadonlySet<number> } | null | undefined,
): readonly BatchItem[] {
  const paid = items.filter(({ id }) => !price?.refused.has(id));
  return paid.length > 0 ? paid : items;
}

/** Returns the files that a run gives a result: without those that no place can run, unless there are only such. */
export function runnableFiles(
  items: readonly BatchItem[],
  fits: ReadonlyMap<number, Pick<RunFit, 'run'>>,
): readonly BatchItem[] {
  const runnable = items.filter(({ id }) => fits.get(id)?.run.verdict !== 'nowhere');
  return runnable.length > 0 ? runnable : items;
}

/** Returns the finished share of all files, 0 to 1, weighted by file size. */
export function totalProgress(items: readonly BatchItem[]): number {
  const weight = ({ file }: BatchItem) => file.size + 1;
  const total = items.reduce((sum, item) => sum + weight(item), 0);
  const done = items.reduce((sum, item) => sum + weight(item) * getFraction(item.state), 0);
  return total === 0 ? 0 : done / total;
}

function getFraction(state: ItemState): number {
  if (state.phase === 'running') return state.fraction;
  return state.phase === 'waiting' ? 0 : 1;
}

export function itemsInPhase(items: readonly BatchItem[], phase: ItemState['phase']): readonly BatchItem[] {
  return items.filter(({ state }) => state.phase === phase);
}

export function countInPhase(items: readonly BatchItem[], phase: ItemState['phase']): number {
  return itemsInPhase(items, phase).length;
}
