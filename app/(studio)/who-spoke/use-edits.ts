'use client';

import type { BatchItem } from '../batch/batch.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { noEdits, type SpeakerEdits } from './timeline.ts';

export interface Edits {
  of(item: BatchItem): SpeakerEdits;
  set(item: BatchItem, edits: SpeakerEdits): void;
}

/** Edits of all files. They outlive the page, as the results do. */
export function useEdits(): Edits {
  const [all, setAll] = useSessionState<Readonly<Record<number, SpeakerEdits>>>('audio-diarize/edits', {});
  return {
    of(item) {
      const run = runOf(item);
      const own = all[item.id];
      return own?.run === run ? own : noEdits(run);
    },
    set: (item, edits) => setAll((before) => ({ ...before, [item.id]: edits })),
  };
}

/** Returns a name that only one run of a file has, and that is stored with its result. */
function runOf({ state }: BatchItem): string {
  return state.phase === 'done' ? String(state.durationSeconds) : '';
}
