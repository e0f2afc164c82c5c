import { encodeOnnxModel, GraphBuilder, type GraphPort, resizeNode } from './onnx.ts';

/** Names for the ends of the graph, and the prefix of all other names. */
interface TfliteEnds {
  readonly input: string;
  /** Names of outputs, by the names of the tensors in the model. Any tensor can be an output. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly prefix: string;
}

/**
 * Converts a TensorFlow Lite network for images to an ONNX graph that computes the same with the channels first. Its
 * input takes a float32 image of any size, [1, 3, height, width], and resizes it as the network needs it. Weights stay
 * 16-bit floats; the runtime expands them once, when it opens the graph.
 * @throws RangeError for an operator or setting that the converter does not know
 */
export function convertTfliteToOnnx(model: TfliteModel, ends: TfliteEnds): Uint8Array<ArrayBuffer> {
  const writer = new GraphWriter(model, ends);
  for (const operator of model.operators) writer.add(operator);
  return writer.finish();
}

class GraphWriter extends GraphBuilder {
  readonly #model: TfliteModel;
  readonly #ends: TfliteEnds;
  /** Constants by the numbers of the tensors that they are expanded to. */
  readonly #expanded = new Map<number, TfliteTensor>();

  constructor(model: TfliteModel, ends: TfliteEnds) {
    super();
    this.#model = model;
    this.#ends = ends;
    for (const input of model.inputs) {
      const { dims } = this.#tensor(input);
      this.#resize(ends.input, this.#nameOf(input), dims);
    }
  }

  add(operator: TfliteOperator): void {
    const { kind, inputs, outputs, settings } = operator;
    const [from = -1, other = -1] = inputs;
    const [to = -1] = outputs;
    const name = this.#nameOf(to);
    if (settings.isActivated) throw new RangeError(`${name}: has a fused activation`);
    switch (kind) {
      case 'DEQUANTIZE':
        this.#expanded.set(to, this.#tensor(from));
        break;
      case 'CONV_2D':
      case 'DEPTHWISE_CONV_2D':
        this.#convolve(operator, name);
        break;
      case 'Convolution2DTransposeBias':
        this.#enlarge(operator, name);
        break;
      case 'AVERAGE_POOL_2D':
        this.#average(operator, name);
        break;
      case 'ADD':
      case 'MUL':
        this.push(kind === 'ADD' ? 'Add' : 'Mul', [this.#valueOf(from), this.#valueOf(other)], name);
        break;
      case 'RELU':
        this.push('Relu', [this.#valueOf(from)], name);
        break;
      case 'LOGISTIC':
        this.push('Sigmoid', [this.#valueOf(from)], name);
        break;
      case 'HARD_SWISH':
        // x * clip(x / 6 + 1 / 2, 0, 1)
        this.push('HardSigmoid', [this.#valueOf(from)], `${name}/gate`, {
          alpha: { float: 1 / 6 },
          beta: { float: 0.5 },
        });
        this.push('Mul', [this.#valueOf(from), `${name}/gate`], name);
        break;
      case 'RESIZE_BILINEAR':
        if (!settings.isHalfPixel) throw new RangeError(`${name}: aligns samples otherwise than by centres`);
        this.#resize(this.#valueOf(from), name, this.#tensor(to).dims);
        break;
      default:
        throw new RangeError(`${name}: operators of the kind ${kind} cannot be converted`);
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    const outputs = Object.entries(this.#ends.outputs).map(([source, name]): GraphPort => {
      const tensor = this.#model.tensors.find((each) => each.name === source);
      if (!tensor) throw new RangeError(`${source}: is missing`);
      return { name, type: 'float32', dims: channelsFirst(tensor.dims) };
    });
    const image = { name: this.#ends.input, type: 'float32', dims: [1, 3, 'height', 'width'] } as const;
    return encodeOnnxModel({ inputs: [image], outputs, nodes: this.nodes, constants: this.constants });
  }

  #convolve({ kind, inputs, settings }: TfliteOperator, name: string): void {
    const [from = -1, kernel = -1, bias = -1] = inputs;
    const { padding, strides = [1, 1], dilations = [1, 1], multiplier = 1 } = settings;
    if (dilations.some((step) => step !== 1) || multiplier !== 1)
      throw new RangeError(`${name}: is dilated or multiplies its channels`);
    const isDepthwise = kind === 'DEPTHWISE_CONV_2D';
    const [outputs = 0, height = 0, width = 0, channels = 0] = this.#weights(kernel).dims;
    const window = [height, width];
    // Outputs, rows, columns, inputs become outputs, inputs, rows, columns; a depthwise kernel has its outputs last.
    this.#expand(kernel, `${name}/weights`, isDepthwise ? [3, 0, 1, 2] : [0, 3, 1, 2]);
    this.#expand(bias, `${name}/shift`, [0]);
    const [, ...image] = this.#tensor(from).dims;
    this.push('Conv', [this.#valueOf(from), `${name}/weights`, `${name}/shift`], name, {
      kernel_shape: window,
      strides,
      pads: padding === 'same' ? samePads(image, window, strides) : [0, 0, 0, 0],
      group: isDepthwise ? outputs * channels : 1,
    });
  }

  /** Adds a transposed convolution whose kernels lie side by side. */
  #enlarge({ inputs, settings: { strides = [1, 1] } }: TfliteOperator, name: string): void {
    const [from = -1, kernel = -1, bias = -1] = inputs;
    const [, height = 0, width = 0] = this.#weights(kernel).dims;
    if (height !== strides[0] || width !== strides[1])
      throw new RangeError(`${name}: has kernels that overlap`);
    // Outputs, rows, columns, inputs become inputs, outputs, rows, columns.
    this.#expand(kernel, `${name}/weights`, [3, 0, 1, 2]);
    this.#expand(bias, `${name}/shift`, [0]);
    const sources = [this.#valueOf(from), `${name}/weights`, `${name}/shift`];
    this.push('ConvTranspose', sources, name, { kernel_shape: [height, width], strides });
  }

  #average({ inputs: [from = -1], settings: { window } }: TfliteOperator, name: string): void {
    const [, height, width] = this.#tensor(from).dims;
    if (window?.[0] !== height || window?.[1] !== width)
      throw new RangeError(`${name}: averages parts of the image`);
    this.push('GlobalAveragePool', [this.#valueOf(from)], name);
  }

  /** Resizes to the sizes of a tensor. */
  #resize(from: string, name: string, dims: readonly number[]): void {
    const { node, constants } = resizeNode(from, name, channelsFirst(dims));
    this.nodes.push(node);
    Object.assign(this.constants, constants);
  }

  /** Adds the weights of a tensor, with its axes in another order. */
  #expand(index: number, name: string, order: readonly number[]): void {
    const { dims, bytes } = this.#weights(index);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const numbers = Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => view.getUint16(2 * at, true));
    const ordered = order.map((axis) => dims[axis] ?? 1);
    this.constants[`${name}/half`] = { dims: ordered, values: reorder(numbers, dims, order) };
    this.push('Cast', [`${name}/half`], name, { to: 1 });
  }

  #weights(index: number): TfliteTensor {
    const tensor = this.#expanded.get(index);
    const { name } = this.#tensor(index);
    if (tensor?.type !== 'float16') throw new RangeError(`${name}: is no constant of 16-bit floats`);
    return tensor;
  }

  /** Returns the name of a tensor that a run computes. */
  #valueOf(index: number): string {
    const { name, bytes } = this.#tensor(index);
    if (bytes.length > 0 || this.#expanded.has(index))
      throw new RangeError(`${name}: is a constant where an image is expected`);
    return this.#nameOf(index);
  }

  #nameOf(index: number): string {
    const { name } = this.#tensor(index);
    return this.#ends.outputs[name] ?? `${this.#ends.prefix}${name}`;
  }

  #tensor(index: number): TfliteTensor {
    const tensor = this.#model.tensors[index];
    if (!tensor) throw new RangeError(`the tensor ${index} is missing`);
    return tensor;
  }
}

function channelsFirst([images = 0, height = 0, width = 0, channels = 0]: readonly number[]): number[] {
  return [images, channels, height, width];
}

/** Returns the padding with which an output has one pixel for each stride; the odd pixel comes after. */
function samePads(
  image: readonly number[],
  window: readonly number[],
  strides: readonly number[],
): readonly number[] {
  const totals = window.map((side, axis) => {
    const [size = 0, stride = 1] = [image[axis], strides[axis]];
    return Math.max((Math.ceil(size / stride) - 1) * stride + side - size, 0);
  });
  return [...totals.map((total) => Math.floor(total / 2)), ...totals.map((total) => Math.ceil(total / 2))];
}

/** Returns the numbers of a tensor of up to four axes with its axes in another order. */
function reorder(numbers: Uint16Array, dims: readonly number[], order: readonly number[]): Uint16Array {
  const steps = dims.map((_, axis) => dims.slice(axis + 1).reduce((product, size) => product * size, 1));
  const [a = 1, b = 1, c = 1, d = 1] = order.map((axis) => dims[axis]);
  const [stepA = 0, stepB = 0, stepC = 0, stepD = 0] = order.map((axis) => steps[axis]);
  const ordered = new Uint16Array(numbers.length);
  let to = 0;
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++)
      for (let k = 0; k < c; k++)
        for (let l = 0; l < d; l++) ordered[to++] = numbers[i * stepA + j * stepB + k * stepC + l * stepD];
  return ordered;
}

/** Tensor of a TensorFlow Lite model: images have their channels last. */
interface TfliteTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: 'float32' | 'float16' | 'int32' | 'other';
  /** Values of a constant, little-endian; empty for what a run computes. */
  readonly bytes: Uint8Array;
}

/** Options of an operator that the converter reads. Heights come before widths. */
interface TfliteSettings {
  readonly padding?: 'same' | 'valid';
  readonly strides?: readonly [number, number];
  readonly dilations?: readonly [number, number];
  /** Rows and columns that pooling takes together. */
  readonly window?: readonly [number, number];
  /** Outputs for each input of a depthwise convolution. */
  readonly multiplier?: number;
  /** Whether an activation is fused into the operator. */
  readonly isActivated?: boolean;
  /** Whether a resize places samples at the pixels' centres, without aligning the corners. */
  readonly isHalfPixel?: boolean;
}

export interface TfliteOperator {
  /** Name of a built-in operator in the schema, or of a custom one. */
  readonly kind: string;
  /** Numbers of tensors. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly settings: TfliteSettings;
}

export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[];
  /** In an order in which each operator follows its sources. */
  readonly operators: readonly TfliteOperator[];
  readonly inputs: readonly number[];
}

const TENSOR_TYPES = ['float32', 'float16', 'int32'] as const;
const CUSTOM = 32;
/** Numbers of built-in operators, as the schema of TensorFlow Lite gives them. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'ADD',
  1: 'AVERAGE_POOL_2D',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  6: 'DEQUANTIZE',
  14: 'LOGISTIC',
  18: 'MUL',
  19: 'RELU',
  23: 'RESIZE_BILINEAR',
  117: 'HARD_SWISH',
};

/**
 * Reads a TensorFlow Lite model of one graph.
 * @throws RangeError for a file of another format
 */
export function readTfliteModel(file: Uint8Array): TfliteModel {
  if (Buffer.from(file.subarray(4, 8)).toString('latin1') !== 'TFL3')
    throw new RangeError('the file is no TensorFlow Lite model');
  const model = FlatTable.open(file);
  const [graph] = model.tables(2);
  if (!graph) throw new RangeError('the model has no graph');
  const kinds = model.tables(1).map(kindOf);
  const buffers = model.tables(4);
  return {
    tensors: graph.tables(0).map((tensor) => ({
      name: tensor.text(3),
      dims: tensor.ints(0),
      type: TENSOR_TYPES[tensor.byte(1)] ?? 'other',
      bytes: buffers[tensor.int(2)]?.bytes(0) ?? new Uint8Array(),
    })),
    operators: graph.tables(3).map((operator) => {
      const kind = kinds[operator.int(0)] ?? '';
      const [inputs, outputs] = [operator.ints(1), operator.ints(2)];
      return { kind, inputs, outputs, settings: settingsOf(kind, operator) };
    }),
    inputs: graph.ints(1),
  };
}

/** Returns the kind of an operator's code. Files of before 2021 have the number in a byte only, which is field 0. */
function kindOf(code: FlatTable): string {
  const number = Math.max(code.byte(0), code.int(3));
  return number === CUSTOM ? code.text(1) : (BUILT_IN[number] ?? `number ${number}`);
}

function settingsOf(kind: string, operator: FlatTable): TfliteSettings {
  const custom = operator.bytes(5);
  // MediaPipe's operator has the options of TRANSPOSE_CONV as they lie in memory: padding from 1, width and height.
  if (kind === 'Convolution2DTransposeBias') {
    const [padding = 0, width = 1, height = 1] = intsOf(custom);
    return { padding: padding === 1 ? 'same' : 'valid', strides: [height, width] };
  }
  const options = operator.table(4);
  if (!options) return {};
  const padding = options.byte(0) === 0 ? 'same' : 'valid';
  const strides = [options.int(2), options.int(1)] as const;
  switch (kind) {
    case 'CONV_2D': {
      const dilations = [options.int(5, 1), options.int(4, 1)] as const;
      return { padding, strides, dilations, isActivated: options.byte(3) !== 0 };
    }
    case 'DEPTHWISE_CONV_2D': {
      const dilations = [options.int(6, 1), options.int(5, 1)] as const;
      const [multiplier, isActivated] = [options.int(3), options.byte(4) !== 0];
      return { padding, strides, dilations, multiplier, isActivated };
    }
    case 'AVERAGE_POOL_2D':
      return { window: [options.int(4), options.int(3)], isActivated: options.byte(5) !== 0 };
    case 'ADD':
    case 'MUL':
      return { isActivated: options.byte(0) !== 0 };
    case 'RESIZE_BILINEAR':
      return { isHalfPixel: options.byte(2) === 0 && options.byte(3) === 1 };
    default:
      return {};
  }
}

/** Returns the signed numbers of 32 bits in little-endian bytes. */
function intsOf(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length >> 2 }, (_, at) => view.getInt32(4 * at, true));
}

/**
 * Table of a FlatBuffers file, whose fields are found by their numbers in the schema.
 *
 * A table starts with the distance back to its list of fields, which gives where each field lies in the table, or 0
 * where it has its default.
 */
class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** Opens the table at the root of a file. */
  static open(file: Uint8Array): FlatTable {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** Returns a signed byte, 0 by default. */
  byte(field: number): number {
    const at = this.#find(field);
    return at === null ? 0 : this.#view.getInt8(at);
  }

  /** Returns a signed number of 32 bits. */
  int(field: number, fallback = 0): number {
    const at = this.#find(field);
    return at === null ? fallback : this.#view.getInt32(at, true);
  }

  /** Returns a text, empty by default. */
  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field));
  }

  /** Returns a list of bytes, without copying it. */
  bytes(field: number): Uint8Array {
    const { at, length } = this.#list(field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length);
  }

  /** Returns a list of signed numbers of 32 bits. */
  ints(field: number): readonly number[] {
    const { at, length } = this.#list(field);
    return Array.from({ length }, (_, item) => this.#view.getInt32(at + 4 * item, true));
  }

  /** Returns the table that a field refers to, or null. */
  table(field: number): FlatTable | null {
    const at = this.#find(field);
    return at === null ? null : new FlatTable(this.#view, this.#follow(at));
  }

  tables(field: number): readonly FlatTable[] {
    const { at, length } = this.#list(field);
    return Array.from({ length }, (_, item) => new FlatTable(this.#view, this.#follow(at + 4 * item)));
  }

  #list(field: number): { readonly at: number; readonly length: number } {
    const at = this.#find(field);
    if (at === null) return { at: 0, length: 0 };
    const list = this.#follow(at);
    return { at: list + 4, length: this.#view.getUint32(list, true) };
  }

  #find(field: number): number | null {
    const fields = this.#at - this.#view.getInt32(this.#at, true);
    // Two sizes of 16 bits come first: of the list itself, and of the table.
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(fields, true)) return null;
    const offset = this.#view.getUint16(fields + entry, true);
    return offset === 0 ? null : this.#at + offset;
  }

  #follow(at: number): number {
    return at + this.#view.getUint32(at, true);
  }
}
