import {
  encodeOnnxModel,
  type GraphAttribute,
  type GraphConstant,
  type GraphNode,
  type GraphPort,
} from './onnx-model.ts';
import { resizeNode } from './resize-node.ts';
import type { TfliteModel, TfliteOperator, TfliteTensor } from './tflite-model.ts';

/** Names for the ends of the graph, and the prefix of all other names. */
export interface TfliteEnds {
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

class GraphWriter {
  readonly #model: TfliteModel;
  readonly #ends: TfliteEnds;
  readonly #nodes: GraphNode[] = [];
  readonly #constants: Record<string, GraphConstant> = {};
  /** Constants by the numbers of the tensors that they are expanded to. */
  readonly #expanded = new Map<number, TfliteTensor>();

  constructor(model: TfliteModel, ends: TfliteEnds) {
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
        this.#push(kind === 'ADD' ? 'Add' : 'Mul', [this.#valueOf(from), this.#valueOf(other)], name);
        break;
      case 'RELU':
        this.#push('Relu', [this.#valueOf(from)], name);
        break;
      case 'LOGISTIC':
        this.#push('Sigmoid', [this.#valueOf(from)], name);
        break;
      case 'HARD_SWISH':
        // x * clip(x / 6 + 1 / 2, 0, 1)
        this.#push('HardSigmoid', [this.#valueOf(from)], `${name}/gate`, {
          alpha: { float: 1 / 6 },
          beta: { float: 0.5 },
        });
        this.#push('Mul', [this.#valueOf(from), `${name}/gate`], name);
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
    return encodeOnnxModel({ inputs: [image], outputs, nodes: this.#nodes, constants: this.#constants });
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
    this.#push('Conv', [this.#valueOf(from), `${name}/weights`, `${name}/shift`], name, {
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
    this.#push('ConvTranspose', sources, name, { kernel_shape: [height, width], strides });
  }

  #average({ inputs: [from = -1], settings: { window } }: TfliteOperator, name: string): void {
    const [, height, width] = this.#tensor(from).dims;
    if (window?.[0] !== height || window?.[1] !== width)
      throw new RangeError(`${name}: averages parts of the image`);
    this.#push('GlobalAveragePool', [this.#valueOf(from)], name);
  }

  /** Resizes to the sizes of a tensor. */
  #resize(from: string, name: string, dims: readonly number[]): void {
    const { node, constants } = resizeNode(from, name, channelsFirst(dims));
    this.#nodes.push(node);
    Object.assign(this.#constants, constants);
  }

  /** Adds the weights of a tensor, with its axes in another order. */
  #expand(index: number, name: string, order: readonly number[]): void {
    const { dims, bytes } = this.#weights(index);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const numbers = Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => view.getUint16(2 * at, true));
    const ordered = order.map((axis) => dims[axis] ?? 1);
    this.#constants[`${name}/half`] = { dims: ordered, values: reorder(numbers, dims, order) };
    this.#push('Cast', [`${name}/half`], name, { to: 1 });
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

  #push(
    op: string,
    inputs: readonly string[],
    output: string,
    attributes: Readonly<Record<string, GraphAttribute>> = {},
  ): void {
    this.#nodes.push({ op, inputs, outputs: [output], attributes });
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
        for (let l = 0; l < d; l++)
          ordered[to++] = numbers[i * stepA + j * stepB + k * stepC + l * stepD] as number;
  return ordered;
}
