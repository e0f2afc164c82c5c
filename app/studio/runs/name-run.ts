import type { BatchItem } from './batch.ts';

/** Returns a name that only one run of a file has, and that is stored with its result. */
export function nameRun({ state }: BatchItem): string {
  return state.phase === 'done' ? String(state.durationSeconds) : '';
}
