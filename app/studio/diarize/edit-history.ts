import { noEdits, type SpeakerEdits } from './timeline.ts';

/** Edits of one run, with those before them and those that were undone, the nearest last. */
export interface EditHistory {
  readonly now: SpeakerEdits;
  readonly before: readonly SpeakerEdits[];
  readonly undone: readonly SpeakerEdits[];
}

/** Steps that can be undone. */
const STEPS_MAX = 200;

export const emptyHistory = (run: string): EditHistory => ({ now: noEdits(run), before: [], undone: [] });

/** Adds a step; the same history where nothing differs. */
export function pushEdit(history: EditHistory, next: SpeakerEdits): EditHistory {
  const { now, before } = history;
  if (JSON.stringify(now) === JSON.stringify(next)) return history;
  return { now: next, before: [...before, now].slice(-STEPS_MAX), undone: [] };
}

/** Goes one step back; the same history where there is none. */
export function undoEdit(history: EditHistory): EditHistory {
  const last = history.before.at(-1);
  if (!last) return history;
  return { now: last, before: history.before.slice(0, -1), undone: [...history.undone, history.now] };
}

/** Takes the last undoing back; the same history where there is none. */
export function redoEdit(history: EditHistory): EditHistory {
  const next = history.undone.at(-1);
  if (!next) return history;
  return { now: next, before: [...history.before, history.now], undone: history.undone.slice(0, -1) };
}
