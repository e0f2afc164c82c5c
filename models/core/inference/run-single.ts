import type { InferenceResult, Session } from '../runtime/inference.ts';
import type { Tensor } from '../runtime/tensor.ts';
import { modelMismatch } from './model-errors.ts';

interface SingleOptions {
  readonly card: { readonly id: string };
  /** What the graph does not do where it is another one, as `modelMismatch` takes it. */
  readonly lack: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a graph of floats with one input, of which the first output counts.
 * @param getFeed returns the input in the type that the graph takes
 * @throws OperationError `unavailable` when the graph has no such input or output
 */
export async function runSingle(
  session: Session,
  { card, lack, signal }: SingleOptions,
  getFeed: (type: 'float32' | 'float16') => Tensor,
): Promise<Omit<InferenceResult, 'outputs'> & { readonly output: Tensor }> {
  const [input] = session.inputs;
  const [first] = session.outputs;
  if (!input || !first || (input.type !== 'float32' && input.type !== 'float16'))
    throw modelMismatch(card, lack);
  const feeds = { [input.name]: getFeed(input.type) };
  const { outputs, ...result } = await session.run(feeds, signal, [first.name]);
  const output = outputs[first.name];
  if (!output) throw modelMismatch(card, lack);
  return { ...result, output };
}
