import { areSameValues, type ParamValues } from '../tools/fields.ts';
import type { ItemState } from './batch.ts';

/** Reports whether a result, or a failure, comes from other settings than the chosen ones. */
export function isOutdated(state: ItemState, values: ParamValues): boolean {
  if (state.phase !== 'done' && state.phase !== 'failed') return false;
  return state.resultParams !== undefined && !areSameValues(state.resultParams, values);
}
