import { OperationError } from '../operation/errors.ts';
import type { Inference } from '../runtime/inference.ts';
import type { WeightCard } from '../runtime/weight-card.ts';

/** Inference for a runtime without models: every operation finds all of them unavailable. */
export const NO_MODELS: Inference = {
  availability: async () => 'unavailable',
  use: refuse,
  read: refuse,
};

async function refuse({ id }: WeightCard): Promise<never> {
  throw new OperationError('unavailable', `${id}: models cannot run here.`, { kind: 'model_unusable' });
}
