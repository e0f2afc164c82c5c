import { OperationError } from '../../core/operation/errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import { floatTensor, getFloats, type Tensor, type TensorType } from '../../core/runtime/tensor.ts';

/** Numbers for an input of a graph, in whatever type it takes. */
export interface GraphInput {
  readonly dims: readonly number[];
  readonly values: Float32Array<ArrayBuffer>;
}

export interface GraphRun {
  readonly values: Float32Array<ArrayBuffer>;
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}

/**
 * Runs a graph of a diffusion model: exports differ in the types of their inputs, not in their names.
 * @param length of the output
 * @throws OperationError `unavailable` when the graph has no such input, or returns another length
 */
export async function runGraph(
  session: Session,
  { feeds, output, length }: { feeds: Readonly<Record<string, GraphInput>>; output: string; length: number },
  signal: AbortSignal,
): Promise<GraphRun> {
  const tensors = Object.entries(feeds).map(([name, feed]) => {
    const port = session.inputs.find((each) => each.name === name);
    if (!port) throw new OperationError('unavailable', `The model has no input ${name}.`);
    return [name, tensorFor(port.type, feed)] as const;
  });
  const { outputs, provider, notices } = await session.run(Object.fromEntries(tensors), signal);
  const found = outputs[output];
  if (found?.data.length !== length) {
    throw new OperationError('unavailable', `The model does not return ${output} of ${length} numbers.`);
  }
  return { values: getFloats(found), provider, notices };
}

function tensorFor(type: TensorType, { dims, values }: GraphInput): Tensor {
  switch (type) {
    case 'float32':
    case 'float16':
      return floatTensor(type, dims, values);
    case 'int32':
      return { type, dims, data: Int32Array.from(values) };
    case 'int64':
      return { type, dims, data: BigInt64Array.from(values, (value) => BigInt(value)) };
    case 'uint8':
      return { type, dims, data: Uint8Array.from(values) };
  }
}
