import { OperationError } from '../errors.ts';
import type { Inference } from '../inference.ts';

/** For a runtime in which no network can run: every operation is told so, and none is promised anything. */
export const NO_NETWORKS: Inference = {
  availability: async () => 'unavailable',
  async use({ id }) {
    throw new OperationError('unavailable', `${id}: networks cannot run here.`);
  },
};
