import {
  bytes,
  encodeOnnxModel,
  fieldsOf,
  type Graph,
  type GraphNode,
} from '../../../server/ops/build/graphs/onnx.ts';

/** Change of a finished graph: nodes that its input, or its output, passes through. */
export interface Splice {
  /** Name of the input or output. */
  readonly port: string;
  readonly side: 'input' | 'output';
  /** Nodes from the tensor `from` to the tensor `to`. */
  readonly nodes: readonly GraphNode[];
  readonly constants?: Graph['constants'];
}

const GRAPH = 7;
const [NODE, INITIALIZER] = [1, 5];
const [NODE_INPUT, NODE_OUTPUT] = [1, 2];

/** Returns an ONNX model whose input or output is changed on its way. */
export function spliceGraph(model: Uint8Array, splice: Splice): Uint8Array<ArrayBuffer> {
  const { port, side, constants = {} } = splice;
  const inner = `${port}/spliced`;
  const nodes = splice.nodes.map((node): GraphNode => {
    const [from, to] = side === 'input' ? [port, inner] : [inner, port];
    const renamed = (name: string) => ({ from, to })[name] ?? name;
    return { ...node, inputs: node.inputs.map(renamed), outputs: node.outputs.map(renamed) };
  });
  const added = fieldsOf(graphOf(encodeOnnxModel({ inputs: [], outputs: [], nodes, constants })));
  const own = fieldsOf(graphOf(model)).map((field) =>
    field.number === NODE ? { ...field, raw: renameIn(field.value, port, inner, side) } : field,
  );
  const extra = (number: number) => added.filter((field) => field.number === number);
  const body = [...extra(INITIALIZER), ...(side === 'input' ? extra(NODE) : []), ...own];
  if (side === 'output') body.push(...extra(NODE));
  const graph = Buffer.concat(body.map(({ raw }) => raw));
  return new Uint8Array(
    Buffer.concat(fieldsOf(model).map((field) => (field.number === GRAPH ? bytes(GRAPH, graph) : field.raw))),
  );
}

function graphOf(model: Uint8Array): Buffer {
  const graph = fieldsOf(model).find(({ number }) => number === GRAPH);
  if (!graph) throw new Error('the model has no graph');
  return graph.value;
}

/** Renames a tensor in a node: where it is read, and where it is written unless it is the graph's input. */
function renameIn(node: Buffer, port: string, inner: string, side: Splice['side']): Buffer {
  const numbers = side === 'input' ? [NODE_INPUT] : [NODE_INPUT, NODE_OUTPUT];
  const fields = fieldsOf(node).map((field) =>
    numbers.includes(field.number) && field.value.toString() === port
      ? bytes(field.number, Buffer.from(inner))
      : field.raw,
  );
  return bytes(NODE, Buffer.concat(fields));
}
