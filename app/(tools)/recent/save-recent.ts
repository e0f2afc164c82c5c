import { saveBlob } from '../../studio/runs/results.ts';
import { pinResult, type RecentResult } from '../../studio/runs/stored-results.ts';

/**
 * Saves a recent result to the browser's downloads. It then stays among the recent ones when its tool makes another.
 */
export function saveRecent({ id, name, blob }: RecentResult): void {
  saveBlob(blob, name);
  void pinResult(id).catch(() => {});
}
