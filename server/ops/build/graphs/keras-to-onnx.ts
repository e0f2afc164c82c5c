import { encodeOnnxModel, GraphBuilder, type GraphNode, resizeNode } from './onnx.ts';

/** Names of the graph's input and output. */
interface GraphEnds {
  readonly input: string;
  readonly output: string;
}

/**
 * Converts a Keras image classifier to an ONNX graph that computes the same: one image of float32 with the channels
 * last, to its class probabilities. Weights stay bytes; the runtime expands them once, when it opens the graph. Batch
 * normalisation is folded into the convolution before it.
 * @throws RangeError for a layer or setting that the converter does not know
 */
export function convertKerasToOnnx(model: KerasModel, ends: GraphEnds): Uint8Array<ArrayBuffer> {
  const writer = new GraphWriter(model);
  for (const layer of model.layers) writer.add(layer);
  return writer.finish(ends);
}

/** Features to take from a network: names for them and the graph's input, and the prefix of all other names. */
interface FeatureEnds {
  readonly input: string;
  /** Rows and columns to which the graph resizes its image. */
  readonly side: number;
  /** Names of features, by the names of the layers that give them. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly prefix: string;
}

/**
 * Converts the layers of a Keras network that lead to some features. The graph takes a float32 image of any size,
 * [1, 3, height, width], and gives the features with the channels first.
 * @throws RangeError for a layer or setting that the converter does not know, also in layers that lead to none of
 *   them, or for a missing layer
 */
export function convertKerasFeatures(model: KerasModel, ends: FeatureEnds): Uint8Array<ArrayBuffer> {
  const writer = new GraphWriter(model);
  for (const layer of model.layers) writer.add(layer);
  return writer.finishFeatures(ends);
}

/** Scale and shift of each channel, as a batch normalisation leaves them. */
interface Folded {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

class GraphWriter extends GraphBuilder {
  readonly #model: KerasModel;
  /** Value of each layer's output by the layer's name, where it is another layer's. */
  readonly #aliases = new Map<string, string>();
  /** Top, left, bottom and right padding that a layer's output still needs. */
  readonly #pads = new Map<string, readonly number[]>();
  readonly #widths: { input?: readonly number[]; classes?: number; last?: string } = {};

  constructor(model: KerasModel) {
    super();
    this.#model = model;
  }

  add(layer: KerasLayer): void {
    const { name, class_name: kind, config } = layer;
    const [from = '', other = ''] = (layer.inbound_nodes[0] ?? []).map(([source]) => this.#valueOf(source));
    this.#widths.last = name;
    switch (kind) {
      case 'InputLayer':
        this.#widths.input = (config.batch_input_shape ?? []).map((size) => size ?? 1);
        this.push('Transpose', [`${name}/image`], name, { perm: [0, 3, 1, 2] });
        break;
      case 'ZeroPadding2D': {
        const [[top = 0, bottom = 0] = [], [left = 0, right = 0] = []] = config.padding as number[][];
        this.#pads.set(name, [top, left, bottom, right]);
        this.#aliases.set(name, from);
        break;
      }
      case 'Conv2D':
      case 'DepthwiseConv2D':
        this.#convolve(layer, from);
        break;
      // Folded into the convolution, and of use in training only.
      case 'BatchNormalization':
      case 'Dropout':
        this.#aliases.set(name, from);
        break;
      case 'ReLU':
        this.constants.zero = { dims: [], values: [0] };
        this.constants[`${name}/max`] = { dims: [], values: [config.max_value ?? Number.POSITIVE_INFINITY] };
        this.push('Clip', [from, 'zero', `${name}/max`], name);
        break;
      case 'Add':
        this.push('Add', [from, other], name);
        break;
      case 'AveragePooling2D':
        this.push('AveragePool', [from], name, {
          kernel_shape: config.pool_size ?? [],
          strides: config.strides ?? [],
        });
        break;
      case 'Flatten':
        // One pixel is left, so the order of channels and pixels does not matter.
        this.push('Flatten', [from], name);
        break;
      case 'Dense':
        this.#connect(layer, from);
        break;
      default:
        throw new RangeError(`${name}: layers of the kind ${kind} cannot be converted`);
    }
  }

  finish({ input, output }: GraphEnds): Uint8Array<ArrayBuffer> {
    const first = this.#model.layers[0]?.name;
    const { input: dims = [], classes = 0, last = '' } = this.#widths;
    this.push('Identity', [this.#valueOf(last)], output);
    return encodeOnnxModel({
      inputs: [{ name: input, type: 'float32', dims }],
      outputs: [{ name: output, type: 'float32', dims: [1, classes] }],
      nodes: this.nodes.map((node) => ({
        ...node,
        inputs: node.inputs.map((name) => (name === `${first}/image` ? input : name)),
      })),
      constants: this.constants,
    });
  }

  finishFeatures({ input, side, outputs, prefix }: FeatureEnds): Uint8Array<ArrayBuffer> {
    const [first = ''] = this.#model.layers.map(({ name }) => name);
    const resized = resizeNode(input, first, [1, 3, side, side]);
    const nodes = leadingTo(Object.keys(outputs), [resized.node, ...this.nodes.slice(1)]);
    const constants = { ...this.constants, ...resized.constants };
    const used = new Set(nodes.flatMap((node) => node.inputs));
    const rename = (name: string) =>
      name === input || name === '' ? name : (outputs[name] ?? prefix + name);
    return encodeOnnxModel({
      inputs: [{ name: input, type: 'float32', dims: [1, 3, 'height', 'width'] }],
      outputs: Object.values(outputs).map((name) => ({
        name,
        type: 'float32',
        dims: [1, `${name} channels`, `${name} rows`, `${name} columns`],
      })),
      nodes: nodes.map((node) => ({
        ...node,
        inputs: node.inputs.map(rename),
        outputs: node.outputs.map(rename),
      })),
      constants: Object.fromEntries(
        Object.entries(constants).flatMap(([name, each]) => (used.has(name) ? [[rename(name), each]] : [])),
      ),
    });
  }

  #convolve({ name, class_name, config }: KerasLayer, from: string): void {
    if (config.use_bias || config.activation !== 'linear')
      throw new RangeError(`${name}: has a bias or activation`);
    const isDepthwise = class_name === 'DepthwiseConv2D';
    const kernel = this.#weight(`${name}/${isDepthwise ? 'depthwise_kernel' : 'kernel'}`);
    const [height = 0, width = 0, inputs = 0, outputs = 0] = kernel.dims;
    const { scale, shift } = this.#normalisationAfter(name);
    // Rows, columns, inputs, outputs become outputs, inputs, rows, columns; of a depthwise kernel there is one input.
    const channels = isDepthwise ? inputs : outputs;
    const depth = isDepthwise ? 1 : inputs;
    const bytes = new Uint8Array(kernel.bytes.length);
    for (let to = 0, channel = 0; channel < channels; channel++) {
      for (let input = 0; input < depth; input++) {
        for (let at = 0; at < height * width; at++, to++) {
          bytes[to] = kernel.bytes[(at * depth + input) * channels + channel];
        }
      }
    }
    const perChannel = [channels, 1, 1, 1];
    this.constants[`${name}/bytes`] = { dims: [channels, depth, height, width], values: bytes };
    this.constants[`${name}/scale`] = { dims: perChannel, values: scale.map((each) => each * kernel.scale) };
    this.constants[`${name}/min`] = { dims: perChannel, values: scale.map((each) => each * kernel.min) };
    this.constants[`${name}/shift`] = { dims: [channels], values: shift };
    this.#expand(name);
    this.push('Conv', [from, `${name}/weights`, `${name}/shift`], name, {
      kernel_shape: [height, width],
      strides: config.strides ?? [1, 1],
      pads: this.#padsOf(name, config, [height, width]),
      group: isDepthwise ? channels : 1,
    });
  }

  /** Returns a convolution's padding: its own, or that of the padding layer before it. */
  #padsOf(
    name: string,
    { padding, strides = [] }: KerasLayer['config'],
    kernel: readonly number[],
  ): number[] {
    const [source = ''] = this.#getSources(name);
    if (padding === 'valid') return [...(this.#pads.get(source) ?? [0, 0, 0, 0])];
    // With larger strides the padding would depend on the size of the image.
    if (strides.some((stride) => stride !== 1)) throw new RangeError(`${name}: padding "same" with strides`);
    const before = kernel.map((side) => Math.floor((side - 1) / 2));
    const after = kernel.map((side) => Math.ceil((side - 1) / 2));
    return [...before, ...after];
  }

  #connect({ name, config }: KerasLayer, from: string): void {
    const kernel = this.#weight(`${name}/kernel`);
    const bias = this.#weight(`${name}/bias`);
    this.constants[`${name}/bytes`] = { dims: kernel.dims, values: kernel.bytes };
    this.constants[`${name}/scale`] = { dims: [], values: [kernel.scale] };
    this.constants[`${name}/min`] = { dims: [], values: [kernel.min] };
    this.constants[`${name}/shift`] = { dims: bias.dims, values: dequantize(bias) };
    this.#expand(name);
    this.push('MatMul', [from, `${name}/weights`], `${name}/sum`);
    this.push('Add', [`${name}/sum`, `${name}/shift`], `${name}/linear`);
    const activation = { relu: 'Relu', softmax: 'Softmax', linear: 'Identity' }[config.activation ?? ''];
    if (!activation) throw new RangeError(`${name}: the activation ${config.activation} cannot be converted`);
    this.push(activation, [`${name}/linear`], name);
    this.#widths.classes = bias.dims[0] ?? 0;
  }

  /** Expands the bytes of a layer's weights: `byte * scale + min`. */
  #expand(name: string): void {
    this.push('Cast', [`${name}/bytes`], `${name}/numbers`, { to: 1 });
    this.push('Mul', [`${name}/numbers`, `${name}/scale`], `${name}/scaled`);
    this.push('Add', [`${name}/scaled`, `${name}/min`], `${name}/weights`);
  }

  #normalisationAfter(name: string): Folded {
    const next = this.#model.layers.find((layer) => layer.inbound_nodes[0]?.[0]?.[0] === name);
    if (next?.class_name !== 'BatchNormalization') throw new RangeError(`${name}: is not normalised`);
    const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map((part) =>
      dequantize(this.#weight(`${next.name}/${part}`)),
    );
    const { epsilon = 0.001 } = next.config;
    const scale = gamma.map((each, at) => each / Math.sqrt(variance[at] + epsilon));
    const shift = beta.map((each, at) => each - mean[at] * scale[at]);
    return { scale, shift };
  }

  #getSources(name: string): readonly string[] {
    const layer = this.#model.layers.find((each) => each.name === name);
    return (layer?.inbound_nodes[0] ?? []).map(([source]) => source);
  }

  #weight(name: string): QuantizedTensor {
    const weight = this.#model.weights.get(name);
    if (!weight) throw new RangeError(`${name}: is missing`);
    return weight;
  }

  #valueOf(name: string): string {
    return this.#aliases.get(name) ?? name;
  }
}

/**
 * Returns the nodes that lead to some values.
 * @throws RangeError when no node gives one of them
 */
function leadingTo(values: readonly string[], nodes: readonly GraphNode[]): GraphNode[] {
  const given = new Set(nodes.flatMap((node) => node.outputs));
  const missing = values.find((value) => !given.has(value));
  if (missing !== undefined) throw new RangeError(`${missing}: is no layer with features`);
  const needed = new Set(values);
  const leads = (node: GraphNode) => {
    if (!node.outputs.some((name) => needed.has(name))) return false;
    for (const name of node.inputs) needed.add(name);
    return true;
  };
  return nodes.toReversed().filter(leads).toReversed();
}

/** Layer of a Keras model in the format of TensorFlow.js, with the settings that the converter reads. */
interface KerasLayer {
  readonly name: string;
  readonly class_name: string;
  readonly config: {
    readonly batch_input_shape?: readonly (number | null)[];
    readonly strides?: readonly number[];
    readonly pool_size?: readonly number[];
    /** `same` or `valid` for a convolution or pooling; for ZeroPadding2D the rows and columns added on each side. */
    readonly padding?: string | readonly (readonly number[])[];
    readonly activation?: string;
    readonly use_bias?: boolean;
    readonly epsilon?: number;
    readonly max_value?: number | null;
  };
  /** Sources of each use of the layer: name of a layer first. */
  readonly inbound_nodes: readonly (readonly (readonly [string, ...unknown[]])[])[];
}

/** Tensor quantised to bytes: `value = byte * scale + min`. */
interface QuantizedTensor {
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
  readonly scale: number;
  readonly min: number;
}

export interface KerasModel {
  /** In an order in which each layer follows its sources. */
  readonly layers: readonly KerasLayer[];
  readonly weights: ReadonlyMap<string, QuantizedTensor>;
}

/** `model.json` of TensorFlow.js. */
export interface KerasManifest {
  readonly modelTopology: {
    readonly model_config: { readonly config: { readonly layers: readonly KerasLayer[] } };
  };
  readonly weightsManifest: readonly {
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly quantization?: { readonly min: number; readonly scale: number; readonly dtype: string };
    }[];
  }[];
}

/**
 * Assembles a model from its manifest and the bytes of its weights, which follow each other in the manifest's order.
 * @throws RangeError when a tensor is not quantised to bytes, or the bytes do not suffice
 */
export function assembleKerasModel(manifest: KerasManifest, bytes: Uint8Array): KerasModel {
  const weights = new Map<string, QuantizedTensor>();
  let offset = 0;
  for (const { name, shape, quantization } of manifest.weightsManifest.flatMap((group) => group.weights)) {
    if (quantization?.dtype !== 'uint8') throw new RangeError(`${name}: is not quantised to bytes`);
    const length = shape.reduce((product, size) => product * size, 1);
    const { scale, min } = quantization;
    weights.set(name, { dims: [...shape], bytes: bytes.subarray(offset, offset + length), scale, min });
    offset += length;
  }
  if (offset !== bytes.length) throw new RangeError(`${bytes.length} bytes for weights of ${offset} bytes`);
  return { layers: manifest.modelTopology.model_config.config.layers, weights };
}

/** Returns the numbers that a tensor stands for. */
function dequantize({ bytes, scale, min }: QuantizedTensor): Float32Array {
  return Float32Array.from(bytes, (byte) => byte * scale + min);
}
