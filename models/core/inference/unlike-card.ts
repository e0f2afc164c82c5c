import { OperationError } from '../operation/errors.ts';

/**
 * Returns the error of a model whose graph is not what its card promises.
 * @param lack what the graph does not do, after "the model does not": `classify an image`
 */
export function unlikeCard({ id }: { readonly id: string }, lack: string): OperationError {
  return new OperationError('unavailable', `${id}: the model does not ${lack}.`, { kind: 'model_unusable' });
}
