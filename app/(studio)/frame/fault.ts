import type { ErrorCode } from '../../../models/errors.ts';
import type { ItemState } from './batch.ts';

/** Faults that another machine would find as well. */
const OF_THE_FILE: readonly ErrorCode[] = ['bad_request', 'unprocessable', 'model_not_found'];
const OF_THE_KEY: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'insufficient_balance'];

/** Whether it failed by no fault of the file: the server, or another try there, may do it. */
export function mayWorkOnServer(state: ItemState): boolean {
  return state.phase === 'failed' && !OF_THE_FILE.includes(state.code);
}

export function aboutTheKey(state: ItemState): boolean {
  return state.phase === 'failed' && OF_THE_KEY.includes(state.code);
}
