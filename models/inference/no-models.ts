import { OperationError } from '../errors.ts';
import type { Inference } from '../inference.ts';

/** Inference for a runtime without models: every operation finds all of them unavailable. */
export const NO_MODELS: Inference = {
  availability: async () => 'unavailable',
  async use({ id }) {
    throw new OperationError('unavailable', `${id}: models cannot run here.`, { kind: 'model_unusable' });
  },
};
