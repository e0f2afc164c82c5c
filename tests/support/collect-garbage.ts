import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects whatever nothing holds. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
