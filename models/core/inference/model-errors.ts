import { OperationError } from '../operation/errors.ts';
import type { Inference } from '../runtime/inference.ts';
import type { WeightCard } from '../runtime/weight-card.ts';

/** Wordings of V8, SpiderMonkey, JavaScriptCore, Emscripten and onnxruntime. */
const WORDINGS = /out of memory|allocation (failed|size)|cannot enlarge memory|failed to allocate|bad_alloc/i;

/** Inference for a runtime without models: every operation finds all of them unavailable. */
export const NO_MODELS: Inference = {
  availability: async () => 'unavailable',
  use: refuse,
  read: refuse,
};

async function refuse({ id }: WeightCard): Promise<never> {
  throw new OperationError('unavailable', `${id}: models cannot run here.`, { kind: 'model_unusable' });
}

/** Recognises an out-of-memory error. */
export function isOutOfMemory(thrown: unknown): boolean {
  if (thrown instanceof OperationError) return thrown.kind === 'out_of_memory';
  return thrown instanceof Error && WORDINGS.test(thrown.message);
}

/**
 * Returns the error of a model whose graph is not what its card promises.
 * @param lack what the graph does not do, after "the model does not": `classify an image`
 */
export function modelMismatch({ id }: { readonly id: string }, lack: string): OperationError {
  return new OperationError('unavailable', `${id}: the model does not ${lack}.`, { kind: 'model_unusable' });
}
