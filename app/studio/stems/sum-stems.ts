import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import type { DoneState, ItemState } from '../runs/batch.ts';
import type { ParamValues } from '../tools/fields.ts';

/** Results of four stems of which two were made, by the id of their file. */
export type FourStems = ReadonlyMap<number, DoneState>;

/** Reports whether two stems are chosen, and a result has the four that they are the sum of. */
export function needsSum(state: ItemState, { stems }: ParamValues): boolean {
  return stems === 'two' && state.phase === 'done' && state.result.files.length === 4;
}

/** Reports whether four stems are chosen, and a result is a sum of those. */
export function needsFour(state: ItemState, { stems }: ParamValues, four: DoneState | undefined): boolean {
  const isSum = state.phase === 'done' && state.result.files.length === 2;
  // Only a sum has the time of its run in common with another result.
  return stems === 'four' && isSum && four?.durationSeconds === state.durationSeconds;
}

/** Divides four stems into the one that two stems have, too, and those that make up the other. */
export function planSum({ result }: DoneState): {
  readonly vocals: OutputFile;
  readonly others: readonly OutputFile[];
} {
  const [vocals, ...others] = result.files;
  if (!vocals) throw new RangeError('a result without stems');
  return { vocals, others };
}

/** Returns a result with other stems, as if the chosen values had made them. */
export function withStems(state: DoneState, files: readonly OutputFile[], values: ParamValues): DoneState {
  return { ...state, result: { ...state.result, files }, resultParams: values };
}
