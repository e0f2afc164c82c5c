import {
  readFields,
  type WireField as UnbufferedField,
} from '../../../../models/core/inference/wire-fields.ts';

/** Element types of onnx.proto, TensorProto.DataType. */
const ELEMENT_TYPES = { float32: 1, uint8: 2, int32: 6, int64: 7, float16: 10 } as const;

type ElementType = keyof typeof ELEMENT_TYPES;

export interface GraphPort {
  readonly name: string;
  readonly type: ElementType;
  /** A string names a size that each run may choose. */
  readonly dims: readonly (number | string)[];
}

export interface GraphNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, GraphAttribute>>;
}

/** Whole number, list of them, text, or number of 32 bits. */
export type GraphAttribute = number | readonly number[] | string | { readonly float: number };

export interface Graph {
  readonly inputs: readonly GraphPort[];
  readonly outputs: readonly GraphPort[];
  readonly nodes: readonly GraphNode[];
  readonly constants?: Readonly<Record<string, GraphConstant>>;
}

export interface GraphConstant {
  readonly dims: readonly number[];
  /**
   * Bytes are stored as unsigned 8-bit integers, those of a Uint16Array as raw 16-bit floats, those of a BigInt64Array
   * as 64-bit integers, and other numbers as 32-bit floats.
   */
  readonly values: ArrayLike<number> | BigInt64Array;
}

/** Builds an .onnx file (opset 13). */
export function encodeOnnxModel({ inputs, outputs, nodes, constants = {} }: Graph): Uint8Array<ArrayBuffer> {
  const graph = message(
    ...nodes.map((node) => bytes(1, nodeProto(node))),
    text(2, 'graph'),
    ...Object.entries(constants).map(([name, constant]) => bytes(5, tensorProto(name, constant))),
    ...inputs.map((port) => bytes(11, valueInfo(port))),
    ...outputs.map((port) => bytes(12, valueInfo(port))),
  );
  return new Uint8Array(
    message(varint(1, 7), bytes(7, graph), bytes(8, message(text(1, ''), varint(2, 13)))),
  );
}

function nodeProto({ op, inputs, outputs, attributes = {} }: GraphNode): Buffer {
  return message(
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeProto(name, value))),
  );
}

function attributeProto(name: string, value: GraphAttribute): Buffer {
  if (typeof value === 'number') return message(text(1, name), varint(3, value), varint(20, 2));
  if (typeof value === 'string') return message(text(1, name), text(4, value), varint(20, 3));
  if ('float' in value) return message(text(1, name), float(2, value.float), varint(20, 1));
  return message(text(1, name), ...value.map((item) => varint(8, item)), varint(20, 7));
}

function tensorProto(name: string, { dims, values }: GraphConstant): Buffer {
  const { type, raw } = stored(values);
  return message(
    ...dims.map((size) => varint(1, size)),
    varint(2, ELEMENT_TYPES[type]),
    text(8, name),
    bytes(9, raw),
  );
}

function stored(values: GraphConstant['values']): { readonly type: ElementType; readonly raw: Buffer } {
  if (values instanceof Uint8Array) return { type: 'uint8', raw: Buffer.from(values) };
  if (values instanceof Uint16Array) return { type: 'float16', raw: getRaw(values) };
  if (values instanceof BigInt64Array) return { type: 'int64', raw: getRaw(values) };
  return { type: 'float32', raw: getRaw(Float32Array.from(values)) };
}

function getRaw({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function valueInfo({ name, type, dims }: GraphPort): Buffer {
  const shape = message(
    ...dims.map((size) =>
      bytes(1, typeof size === 'number' ? message(varint(1, size)) : message(text(2, size))),
    ),
  );
  return message(
    text(1, name),
    bytes(2, message(bytes(1, message(varint(1, ELEMENT_TYPES[type]), bytes(2, shape))))),
  );
}

/** Base of the converters: nodes and constants of a graph, in the order in which they are added. */
export abstract class GraphBuilder {
  protected readonly nodes: GraphNode[] = [];
  protected readonly constants: Record<string, GraphConstant> = {};

  /** Adds a node with one output. */
  protected push(
    op: string,
    inputs: readonly string[],
    output: string,
    attributes: Readonly<Record<string, GraphAttribute>> = {},
  ): void {
    this.nodes.push({ op, inputs, outputs: [output], attributes });
  }
}

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

// Numbers of fields in onnx.proto.
const MODEL = { graph: 7, operatorSet: 8, functions: 25 } as const;
const OPERATOR_SET = { domain: 1, version: 2 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
const NODE = { output: 2, attribute: 5 } as const;
const ATTRIBUTE = { graph: 6, graphs: 11 } as const;
const INITIALIZER = { name: 8 } as const;
const PORT = { name: 1 } as const;

/**
 * Joins two ONNX models into one: outputs of the first feed the second's inputs of their names, and an input that both
 * have is one. The second's outputs and settings are those of the whole. The same models give the same bytes.
 * @throws RangeError when a message cannot be read, the models' operator sets differ, an output of the first feeds
 *   nothing, two tensors have the same name, or a model has functions or nested graphs
 */
export function joinOnnxModels(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const [before, after] = [readModel(first), readModel(second)];
  if (before.operatorSets !== after.operatorSets)
    throw new RangeError('the operator sets of the models differ');
  const given = before.inputs.map(nameOfPort);
  const fed = before.outputs.map(nameOfPort);
  const taken = after.inputs.map(nameOfPort);
  const idle = fed.find((name) => !taken.includes(name));
  if (idle !== undefined) throw new RangeError(`${idle}: is no input of the second model`);
  const more = taken.filter((name) => !fed.includes(name) && !given.includes(name));
  const others = [...given, ...before.tensors];
  const twice =
    after.tensors.find((name) => others.includes(name)) ?? more.find((name) => others.includes(name));
  if (twice !== undefined) throw new RangeError(`${twice}: is a tensor of both models`);
  const inputs = [...before.inputs, ...after.inputs.filter((port) => more.includes(nameOfPort(port)))];
  const parts = [...before.body, ...after.body, ...inputs, ...after.outputs];
  const graph = message(...parts.map(({ raw }) => raw), ...after.settings.map(({ raw }) => raw));
  return new Uint8Array(
    message(...after.fields.map((field) => (field.number === MODEL.graph ? bytes(7, graph) : field.raw))),
  );
}

interface ReadModel {
  readonly fields: readonly WireField[];
  /** Operator sets, as a text that is equal where they are. */
  readonly operatorSets: string;
  readonly inputs: readonly WireField[];
  readonly outputs: readonly WireField[];
  /** Nodes, constants and what is known of tensors between them. */
  readonly body: readonly WireField[];
  /** Other fields of the graph, such as its name. */
  readonly settings: readonly WireField[];
  /** Names of the tensors that nodes compute or that the file holds. Outputs that a node leaves out have none. */
  readonly tensors: readonly string[];
}

function readModel(model: Uint8Array): ReadModel {
  const fields = getFields(model);
  const graph = fields.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new RangeError('the model has no graph');
  const parts = getFields(graph.value);
  const only = (...numbers: readonly number[]) => parts.filter(({ number }) => numbers.includes(number));
  const nodes = only(GRAPH.node);
  const attributes = nodes.flatMap((node) => getValues(node, NODE.attribute).map(getFields)).flat();
  const isNested = attributes.some(({ number }) => number === ATTRIBUTE.graph || number === ATTRIBUTE.graphs);
  if (isNested || fields.some(({ number }) => number === MODEL.functions))
    throw new RangeError('the model has functions or nested graphs');
  const [inputs, outputs] = [only(GRAPH.input), only(GRAPH.output)];
  const body = only(GRAPH.node, GRAPH.initializer, GRAPH.valueInfo);
  return {
    fields,
    operatorSets: getOperatorSets(fields),
    inputs,
    outputs,
    body,
    settings: parts.filter((part) => ![...body, ...inputs, ...outputs].includes(part)),
    tensors: [
      ...nodes.flatMap((node) => getValues(node, NODE.output)),
      ...only(GRAPH.initializer).flatMap((constant) => getValues(constant, INITIALIZER.name)),
    ]
      .map(String)
      .filter(Boolean),
  };
}

function getOperatorSets(fields: readonly WireField[]): string {
  const sets = fields.filter(({ number }) => number === MODEL.operatorSet);
  return sets
    .map((set) => {
      const version = getFields(set.value).find(({ number }) => number === OPERATOR_SET.version);
      return `${getValues(set, OPERATOR_SET.domain)} ${version?.integer}`;
    })
    .join();
}

function nameOfPort(port: WireField): string {
  return String(getValues(port, PORT.name));
}

/** Returns the bytes of each field of a number in a message. */
function getValues({ value }: WireField, number: number): readonly Buffer[] {
  return getFields(value)
    .filter((field) => field.number === number)
    .map((field) => field.value);
}

// Messages in the wire format of Protocol Buffers: a field is its number and kind as a varint, then the value.

/** Field as a message holds it, its bytes as buffers. */
interface WireField extends UnbufferedField {
  readonly value: Buffer;
  readonly raw: Buffer;
}

export function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

export function varint(field: number, value: number): Buffer {
  return Buffer.from([...base128(field << 3), ...base128(value)]);
}

export function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...base128((field << 3) | 2), ...base128(value.length)]), value]);
}

export function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function float(field: number, value: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeFloatLE(value);
  return Buffer.concat([Buffer.from(base128((field << 3) | 5)), number]);
}

/**
 * Splits a message into its fields, in their order.
 * @throws RangeError when the message ends within a field, or has a field of a kind that is no longer in use
 */
export function getFields(source: Uint8Array): WireField[] {
  return readFields(source).map(({ value, raw, ...field }) => ({
    ...field,
    value: getRaw(value),
    raw: getRaw(raw),
  }));
}

function base128(value: number): number[] {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return [...groups, rest];
}
