'use client';

import type { BatchItem } from '../runs/batch.ts';
import { nameRun } from '../runs/name-run.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { initialMix, type Mix } from './mix.ts';

export interface Mixes {
  mixOf(item: BatchItem): Mix;
  change(item: BatchItem, change: (mix: Mix) => Mix): void;
}

/** Mixes of all files. They outlive the page, as the results do. */
export function useMixes(): Mixes {
  const [all, setAll] = useSessionState<Readonly<Record<number, Mix>>>('audio-separate-stems/mixes', {});
  const ownOf = (mixes: Readonly<Record<number, Mix>>, item: BatchItem) => {
    const run = nameRun(item);
    const own = mixes[item.id];
    return own?.run === run ? own : initialMix(run);
  };
  return {
    mixOf: (item) => ownOf(all, item),
    change: (item, change) => setAll((before) => ({ ...before, [item.id]: change(ownOf(before, item)) })),
  };
}
