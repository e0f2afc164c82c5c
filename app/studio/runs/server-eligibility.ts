import { type ErrorCode, REQUEST_ERRORS } from '../../../models/core/operation/errors.ts';
import type { ItemState } from './batch.ts';

/** Faults of the file itself, which would occur on any machine. */
const OF_THE_FILE: readonly ErrorCode[] = [...REQUEST_ERRORS, 'unprocessable', 'model_not_found'];

/** Reports whether a failed file may succeed on the server: its fault is not in the file itself. */
export function mayRunOnServer(state: ItemState): boolean {
  return state.phase === 'failed' && !OF_THE_FILE.includes(state.code);
}

/** Reports whether the server refused a file because the visitor is no longer signed in. */
export function isSignedOut(state: ItemState): boolean {
  return state.phase === 'failed' && state.code === 'unauthorized';
}
