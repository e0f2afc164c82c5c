/**
 * Writes ONNX graphs: those of models that come in another format, and small ones of any names and shapes for tests.
 */

import { bytes, float, message, text, varint } from './protobuf.ts';

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
  if (values instanceof Uint16Array) return { type: 'float16', raw: rawOf(values) };
  if (values instanceof BigInt64Array) return { type: 'int64', raw: rawOf(values) };
  return { type: 'float32', raw: rawOf(Float32Array.from(values)) };
}

function rawOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
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
