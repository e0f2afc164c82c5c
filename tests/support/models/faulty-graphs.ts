import { encodeOnnxModel, type GraphNode } from '../../../server/ops/build/graphs/onnx.ts';

const graph = (
  nodes: readonly GraphNode[],
  constants: Parameters<typeof encodeOnnxModel>[0]['constants'] = {},
) =>
  encodeOnnxModel({
    inputs: [{ name: 'x', type: 'float32', dims: [1, 1] }],
    outputs: [{ name: 'y', type: 'float32', dims: ['rows', 'columns'] }],
    nodes,
    constants,
  });

/** Faulty models from one number `x` to `y`, as on a broken GPU. */
export const FAULTY_GRAPHS = {
  /** x - x */
  zeros: graph([{ op: 'Sub', inputs: ['x', 'x'], outputs: ['y'] }]),
  /** log(x - x - 1) */
  noNumbers: graph(
    [
      { op: 'Sub', inputs: ['x', 'x'], outputs: ['zero'] },
      { op: 'Sub', inputs: ['zero', 'one'], outputs: ['negative'] },
      { op: 'Log', inputs: ['negative'], outputs: ['y'] },
    ],
    { one: { dims: [1, 1], values: [1] } },
  ),
  /** Asks for more bytes than there are addresses. */
  tooLarge: graph(
    [
      { op: 'Cast', inputs: ['size'], outputs: ['shape'], attributes: { to: 7 } },
      { op: 'Expand', inputs: ['x', 'shape'], outputs: ['y'] },
    ],
    { size: { dims: [2], values: [1e9, 1e9] } },
  ),
} as const;
