/**
 * Writes ONNX graphs: those of models that come in another format, and small ones of any names and shapes for tests.
 */

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
  /** Whole numbers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Graph {
  readonly inputs: readonly GraphPort[];
  readonly outputs: readonly GraphPort[];
  readonly nodes: readonly GraphNode[];
  readonly constants?: Readonly<Record<string, GraphConstant>>;
}

export interface GraphConstant {
  readonly dims: readonly number[];
  /** Bytes are stored as unsigned 8-bit integers, other numbers as 32-bit floats. */
  readonly values: ArrayLike<number>;
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
    ...Object.entries(attributes).map(([name, value]) =>
      bytes(
        5,
        typeof value === 'number'
          ? message(text(1, name), varint(3, value), varint(20, 2))
          : message(text(1, name), ...value.map((item) => varint(8, item)), varint(20, 7)),
      ),
    ),
  );
}

function tensorProto(name: string, { dims, values }: GraphConstant): Buffer {
  const isBytes = values instanceof Uint8Array;
  return message(
    ...dims.map((size) => varint(1, size)),
    varint(2, isBytes ? ELEMENT_TYPES.uint8 : ELEMENT_TYPES.float32),
    text(8, name),
    bytes(9, isBytes ? Buffer.from(values) : Buffer.from(Float32Array.from(values).buffer)),
  );
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

// Protocol Buffers wire format: a field is its number and kind as a varint, then the value.
function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function varint(field: number, value: number): Buffer {
  return Buffer.from([...base128(field << 3), ...base128(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...base128((field << 3) | 2), ...base128(value.length)]), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function base128(value: number): number[] {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 128);
  return [...groups, rest];
}
