import type { ItemState } from '../runs/batch.ts';
import { getResults } from '../runs/results.ts';
import type { RunActions } from '../runs/run-actions.ts';
import { pinBlob } from '../runs/stored-results.ts';
import type { PrepareFiles } from './download-run.ts';

/**
 * Returns the results as they are, after a live run that is under way: a download is of the settings that are shown.
 * A live run that ends without a result leaves nothing to download.
 */
export function finishLiveRun({ batch, live }: Pick<RunActions, 'batch' | 'live'>): PrepareFiles {
  return async ({ id, state }) => {
    const isRenewed = live.view()?.id === id;
    await live.settled(id);
    const item = batch.view().items.find((each) => each.id === id);
    if (!item || (isRenewed && isSameResult(item.state, state))) return [];
    const results = getResults(item);
    // A browser without storage has nothing to keep.
    for (const { name, file } of results) void pinBlob(name, file.blob).catch(() => {});
    return results;
  };
}

/** A live run that fails leaves the earlier result, with its reason in a new state. */
function isSameResult(one: ItemState, other: ItemState): boolean {
  return one === other || (one.phase === 'done' && other.phase === 'done' && one.result === other.result);
}
