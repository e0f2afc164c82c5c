'use client';

import type { BatchItem } from '../runs/batch.ts';
import { nameRun } from '../runs/name-run.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { type EditHistory, emptyHistory, pushEdit, redoEdit, undoEdit } from './edit-history.ts';
import type { SpeakerEdits } from './timeline.ts';

export interface Edits {
  editsOf(item: BatchItem): EditHistory;
  set(item: BatchItem, edits: SpeakerEdits): void;
  undo(item: BatchItem): void;
  redo(item: BatchItem): void;
}

/** Edits of all files. They outlive the page, as the results do. */
export function useEdits(): Edits {
  const [all, setAll] = useSessionState<Readonly<Record<number, EditHistory>>>('audio-diarize/history', {});
  const historyOf = (histories: typeof all, item: BatchItem) => {
    const run = nameRun(item);
    const own = histories[item.id];
    return own?.now.run === run ? own : emptyHistory(run);
  };
  const change = (item: BatchItem, next: (history: EditHistory) => EditHistory) =>
    setAll((before) => ({ ...before, [item.id]: next(historyOf(before, item)) }));
  return {
    editsOf: (item) => historyOf(all, item),
    set: (item, edits) => change(item, (history) => pushEdit(history, edits)),
    undo: (item) => change(item, undoEdit),
    redo: (item) => change(item, redoEdit),
  };
}
