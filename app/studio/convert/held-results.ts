import type { DoneState } from '../runs/batch.ts';

/** Results that are held for a comparison, by the id of their file. Each knows the settings that made it. */
export type HeldResults = ReadonlyMap<number, DoneState>;

/** Holds a file's result. Held results of files that are gone are dropped. */
export function holdResult(
  held: HeldResults,
  id: number,
  state: DoneState,
  presentIds: readonly number[],
): HeldResults {
  return new Map([...[...held].filter(([each]) => presentIds.includes(each)), [id, state]]);
}

export function dropResult(held: HeldResults, id: number): HeldResults {
  return new Map([...held].filter(([each]) => each !== id));
}

/**
 * Exchanges a file's result for the held one.
 * @returns what is held afterwards, and the result that was; null when none was
 */
export function swapResult(
  held: HeldResults,
  id: number,
  state: DoneState,
): { readonly held: HeldResults; readonly state: DoneState } | null {
  const other = held.get(id);
  return other ? { held: new Map([...held, [id, state]]), state: other } : null;
}
