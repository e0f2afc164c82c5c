import { readFields, type WireField } from '../../../models/core/inference/wire-fields.ts';
import { getFloats, getTensor } from '../../../models/core/runtime/tensor.ts';
import { GROUPS_MAX } from './kernel-sizes.ts';

/** A convolution of 3 x 3. */
export interface Convolution {
  /** Outputs, inputs, 3 and 3. */
  readonly dims: readonly number[];
  /** Row by row, in the order of `dims`. */
  readonly weights: Float32Array;
  /** One for each output. */
  readonly bias: Float32Array;
}

/** An upscaler of lab/training/upscale/model.py. */
export interface Network {
  /** The name of the input, and that of the output. */
  readonly names: readonly [string, string];
  /**
   * Whether it is a `FastUpscaler` with `ColourFromLuma`, which computes at half the size: its first convolution takes
   * the luma of 2 x 2 pixels as four channels. Otherwise a `FineUpscaler`, which takes red, green and blue.
   */
  readonly isHalved: boolean;
  /** In the order of the network. */
  readonly convolutions: readonly Convolution[];
  /** Weights of the bicubic enlargement: 25 for each sample that comes from one. */
  readonly bicubic: Float32Array;
}

// Numbers of fields in onnx.proto.
const MODEL_GRAPH = 7;
const GRAPH = { node: 1, constant: 5, input: 11, output: 12 } as const;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE_TENSOR = 5;
const TENSOR = { dims: 1, type: 2, raw: 9 } as const;
const PORT_NAME = 1;
const ELEMENT_TYPES: Readonly<Record<number, 'float32' | 'float16'>> = { 1: 'float32', 10: 'float16' };

interface Constant {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/**
 * Reads an upscaler, whose file holds its convolutions in their order.
 * @throws RangeError when the file is no upscaler that the kernel can run
 */
export function readNetwork(file: Uint8Array): Network {
  const [graph = []] = messages(readFields(file), MODEL_GRAPH);
  const constants = messages(graph, GRAPH.constant).flatMap(readConstant);
  const convolutions = constants.flatMap(({ dims, values }, at) => {
    const bias = constants[at + 1]?.values;
    return dims.length === 4 && bias?.length === dims[0] ? [{ dims, weights: values, bias }] : [];
  });
  const bicubic = messages(graph, GRAPH.node)
    .flatMap((node) => messages(node, NODE_ATTRIBUTE))
    .flatMap((attribute) => messages(attribute, ATTRIBUTE_TENSOR).flatMap(readConstant))
    .find(({ dims: [, inputs, rows] }) => inputs === 1 && rows === 5);
  const [input] = messages(graph, GRAPH.input).map(readName);
  const [output] = messages(graph, GRAPH.output).map(readName);
  const [first] = convolutions;
  if (!bicubic || !input || !output || !first || !isUpscaler(convolutions, bicubic.dims))
    throw new RangeError('the kernel cannot run this network');
  const isHalved = first.dims[1] === 1;
  return {
    names: [input, output],
    isHalved,
    convolutions: isHalved ? [halveFirst(first), ...convolutions.slice(1)] : convolutions,
    // Red, green and blue have the same.
    bicubic: bicubic.values.slice(0, bicubic.values.length / 3),
  };
}

function isUpscaler(convolutions: readonly Convolution[], [samples = 0]: readonly number[]): boolean {
  const [first = '', ...others] = convolutions.map(({ dims }) => dims.join());
  const [width = 0] = convolutions[0]?.dims ?? [];
  const last = others.pop();
  const isPlain =
    width % 8 === 0 && width <= 4 * GROUPS_MAX && others.every((dims) => dims === `${width},${width},3,3`);
  if (!isPlain || others.length === 0) return false;
  return first === `${width},1,6,6`
    ? last === `16,${width},3,3` && samples === 12
    : first === `${width},3,3,3` && last === `${samples},${width},3,3` && others.length % 2 === 0;
}

/** Turns a convolution of 6 x 6 in steps of two into one of 3 x 3 of four channels: 2 x 2 samples, row by row. */
function halveFirst({ weights, bias }: Convolution): Convolution {
  const halved = Float32Array.from(weights, (_, at) => {
    const [output, channel, row, column] = [
      Math.floor(at / 36),
      Math.floor(at / 9) % 4,
      Math.floor(at / 3) % 3,
      at % 3,
    ];
    return weights[output * 36 + (2 * row + (channel >> 1)) * 6 + 2 * column + (channel & 1)];
  });
  return { dims: [bias.length, 4, 3, 3], weights: halved, bias };
}

function messages(fields: readonly WireField[], number: number): WireField[][] {
  return fields.filter((field) => field.number === number).map(({ value }) => readFields(value));
}

/** Reads a tensor of floats; none where it holds others. */
function readConstant(fields: readonly WireField[]): Constant[] {
  const type = ELEMENT_TYPES[fields.find(({ number }) => number === TENSOR.type)?.integer ?? 0];
  const raw = fields.find(({ number }) => number === TENSOR.raw)?.value;
  if (!type || !raw) return [];
  const dims = fields.filter(({ number }) => number === TENSOR.dims).map(({ integer }) => integer);
  return [{ dims, values: getFloats(getTensor(type, dims, raw)) }];
}

function readName(port: readonly WireField[]): string {
  const name = port.find(({ number }) => number === PORT_NAME)?.value;
  return new TextDecoder().decode(name);
}
