import { formatBytes, formatChange } from '../../ui/quantities.ts';
import type { IssueOf } from '../download/usable-items.ts';
import type { BatchItem } from '../runs/batch.ts';
import { describeShortly, failureOf } from '../runs/describe-run.ts';
import { getResults } from '../runs/results.ts';

/**
 * Returns the size of the file that a download saves: undefined where it is the result, null where it is unknown until
 * the file is made.
 */
export type SavedBytesOf = (item: BatchItem) => number | null | undefined;

/** Facts and looks that a tool gives the tile of a file. */
export interface TileFacts {
  /** CSS `background` that is seen through results, as their downloads have it. */
  readonly underlay?: string | undefined;
  /** Says in a few words why a result is of no use as it is; it is then marked, and left out of a zip. */
  readonly getIssue?: IssueOf;
  /** Size of the file that a download saves, where it is not the result. */
  readonly getSavedBytes?: SavedBytesOf;
  /** Says in a few words what a run found, where that is the result. */
  readonly getVerdict?: (item: BatchItem) => string | undefined;
}

/** Returns the one fact of a file's tile: its size, its progress, its size and change, or why its last run failed. */
export function describeTile(
  item: BatchItem,
  showsSizeChange: boolean,
  saved: ReturnType<SavedBytesOf>,
): string {
  const { file, state } = item;
  switch (state.phase) {
    case 'waiting':
      return formatBytes(file.size);
    case 'running':
      return describeShortly(state);
    case 'failed':
      return state.message;
    case 'done': {
      const failure = failureOf(state);
      if (failure !== undefined) return failure;
      if (saved === null) return `${formatBytes(resultBytes(item))} before edits`;
      const after = saved ?? resultBytes(item);
      return showsSizeChange ? `${formatBytes(after)} ${formatChange(file.size, after)}` : formatBytes(after);
    }
  }
}

/** Returns the colour of the fact: good for a smaller file, a warning for a larger one, bad for a failure. */
export function getTone(
  item: BatchItem,
  showsSizeChange: boolean,
  saved: ReturnType<SavedBytesOf>,
): 'good' | 'warn' | 'bad' | undefined {
  if (failureOf(item.state) !== undefined) return 'bad';
  if (item.state.phase !== 'done' || !showsSizeChange || saved === null) return undefined;
  const [before, after] = [item.file.size, saved ?? resultBytes(item)];
  if (after === before) return undefined;
  return after < before ? 'good' : 'warn';
}

function resultBytes(item: BatchItem): number {
  return getResults(item).reduce((sum, { file }) => sum + file.blob.size, 0);
}
