import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { bytes, change } from '../text/quantities.ts';
import { describeProgress } from './describe-progress.ts';

/** Returns the one fact of a file's tile: its size, its progress, its size and change, or why it failed. */
export function factOf(item: BatchItem, isAboutSize: boolean): string {
  const { file, state } = item;
  switch (state.phase) {
    case 'waiting':
      return bytes(file.size);
    case 'running':
      return describeProgress(state);
    case 'failed':
      return state.message;
    case 'done': {
      const after = resultBytes(item);
      return isAboutSize ? `${bytes(after)} ${change(file.size, after)}` : bytes(after);
    }
  }
}

/** Returns the colour of the fact: good for a smaller file, a warning for a larger one, bad for a failure. */
export function toneOf(item: BatchItem, isAboutSize: boolean): 'good' | 'warn' | 'bad' | undefined {
  if (item.state.phase === 'failed') return 'bad';
  if (item.state.phase !== 'done' || !isAboutSize) return undefined;
  const [before, after] = [item.file.size, resultBytes(item)];
  if (after === before) return undefined;
  return after < before ? 'good' : 'warn';
}

function resultBytes(item: BatchItem): number {
  return resultsOf(item).reduce((sum, { file }) => sum + file.blob.size, 0);
}
