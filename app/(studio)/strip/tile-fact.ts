import { formatBytes, formatChange } from '../../text/quantities.ts';
import type { BatchItem } from '../batch/batch.ts';
import { describeProgress } from '../batch/describe-progress.ts';
import { resultsOf } from '../batch/results.ts';

/**
 * Returns the size of the file that a download saves: undefined where it is the result, null where it is unknown until
 * the file is made.
 */
export type SavedBytesOf = (item: BatchItem) => number | null | undefined;

/** Returns the one fact of a file's tile: its size, its progress, its size and change, or why it failed. */
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
      return describeProgress(state);
    case 'failed':
      return state.message;
    case 'done': {
      if (saved === null) return 'edited';
      const after = saved ?? resultBytes(item);
      return showsSizeChange ? `${formatBytes(after)} ${formatChange(file.size, after)}` : formatBytes(after);
    }
  }
}

/** Returns the colour of the fact: good for a smaller file, a warning for a larger one, bad for a failure. */
export function toneOf(
  item: BatchItem,
  showsSizeChange: boolean,
  saved: ReturnType<SavedBytesOf>,
): 'good' | 'warn' | 'bad' | undefined {
  if (item.state.phase === 'failed') return 'bad';
  if (item.state.phase !== 'done' || !showsSizeChange || saved === null) return undefined;
  const [before, after] = [item.file.size, saved ?? resultBytes(item)];
  if (after === before) return undefined;
  return after < before ? 'good' : 'warn';
}

function resultBytes(item: BatchItem): number {
  return resultsOf(item).reduce((sum, { file }) => sum + file.blob.size, 0);
}
