import { encodeOnnxModel, type Graph, type GraphNode } from '../../../server/build/graphs/onnx-model.ts';

/** Change of a finished graph: nodes that its input, or its output, passes through. */
export interface Splice {
  /** Name of the input or output. */
  readonly port: string;
  readonly side: 'input' | 'output';
  /** Nodes from the tensor `from` to the tensor `to`. */
  readonly nodes: readonly GraphNode[];
  readonly constants?: Graph['constants'];
}

/** Field of a message in Protocol Buffers' wire format: number, kind and value, with its raw bytes. */
interface Field {
  readonly number: number;
  readonly value: Buffer;
  readonly raw: Buffer;
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
  const own = fieldsOf(graphOf(Buffer.from(model))).map((field) =>
    field.number === NODE ? { ...field, raw: renameIn(field.value, port, inner, side) } : field,
  );
  const extra = (number: number) => added.filter((field) => field.number === number);
  const body = [...extra(INITIALIZER), ...(side === 'input' ? extra(NODE) : []), ...own];
  if (side === 'output') body.push(...extra(NODE));
  const graph = Buffer.concat(body.map(({ raw }) => raw));
  return new Uint8Array(
    Buffer.concat(
      fieldsOf(Buffer.from(model)).map((field) =>
        field.number === GRAPH ? lengthField(GRAPH, graph) : field.raw,
      ),
    ),
  );
}

function graphOf(model: Uint8Array): Buffer {
  const graph = fieldsOf(Buffer.from(model)).find(({ number }) => number === GRAPH);
  if (!graph) throw new Error('the model has no graph');
  return graph.value;
}

/** Renames a tensor in a node: where it is read, and where it is written unless it is the graph's input. */
function renameIn(node: Buffer, port: string, inner: string, side: Splice['side']): Buffer {
  const numbers = side === 'input' ? [NODE_INPUT] : [NODE_INPUT, NODE_OUTPUT];
  const fields = fieldsOf(node).map((field) =>
    numbers.includes(field.number) && field.value.toString() === port
      ? lengthField(field.number, Buffer.from(inner))
      : field.raw,
  );
  return lengthField(NODE, Buffer.concat(fields));
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let [value, scale] = [0, 1];
    for (; ; scale *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const key = varint();
    const kind = key % 8;
    let value = message.subarray(0, 0);
    if (kind === 0) varint();
    else if (kind === 2) {
      const length = varint();
      value = message.subarray(at, at + length);
      at += length;
    } else at += kind === 1 ? 8 : 4;
    fields.push({ number: Math.floor(key / 8), value, raw: message.subarray(start, at) });
  }
  return fields;
}

function lengthField(number: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2]), lengthOf(value.length), value]);
}

function lengthOf(length: number): Buffer {
  const groups: number[] = [];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) + 128);
  return Buffer.from([...groups, rest]);
}
