import type { GraphConstant, GraphNode } from './onnx-model.ts';

/**
 * Makes a node that resizes bilinearly between the centres of samples, and its constant.
 * @param sizes images, channels, rows, columns of the result
 */
export function resizeNode(
  from: string,
  to: string,
  sizes: readonly number[],
): { readonly node: GraphNode; readonly constants: Readonly<Record<string, GraphConstant>> } {
  const name = `${to}/sizes`;
  return {
    node: {
      op: 'Resize',
      inputs: [from, '', '', name],
      outputs: [to],
      attributes: { mode: 'linear', coordinate_transformation_mode: 'half_pixel' },
    },
    constants: { [name]: { dims: [sizes.length], values: BigInt64Array.from(sizes, BigInt) } },
  };
}
