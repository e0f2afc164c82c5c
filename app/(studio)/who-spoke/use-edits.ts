'use client';

import type { BatchItem } from '../batch/batch.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { changed, type EditHistory, noHistory, redone, undone } from './edit-history.ts';
import type { SpeakerEdits } from './timeline.ts';

export interface Edits {
  of(item: BatchItem): EditHistory;
  set(item: BatchItem, edits: SpeakerEdits): void;
  undo(item: BatchItem): void;
  redo(item: BatchItem): void;
}

/** Edits of all files. They outlive the page, as the results do. */
export function useEdits(): Edits {
  const [all, setAll] = useSessionState<Readonly<Record<number, EditHistory>>>('audio-diarize/history', {});
  const historyOf = (histories: typeof all, item: BatchItem) => {
    const run = runOf(item);
    const own = histories[item.id];
    return own?.now.run === run ? own : noHistory(run);
  };
  const change = (item: BatchItem, next: (history: EditHistory) => EditHistory) =>
    setAll((before) => ({ ...before, [item.id]: next(historyOf(before, item)) }));
  return {
    of: (item) => historyOf(all, item),
    set: (item, edits) => change(item, (history) => changed(history, edits)),
    undo: (item) => change(item, undone),
    redo: (item) => change(item, redone),
  };
}

/** Returns a name that only one run of a file has, and that is stored with its result. */
function runOf({ state }: BatchItem): string {
  return state.phase === 'done' ? String(state.durationSeconds) : '';
}
