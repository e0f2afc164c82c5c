import { encodeOnnxModel, type Graph, type GraphNode } from '../../server/ops/build/graphs/onnx.ts';

/**
 * Graph that costs as much as IS-Net, layer by layer: X. Qin et al., "Highly Accurate Dichotomous Image
 * Segmentation", ECCV 2022, whose blocks are those of U2-Net. Its weights are meaningless, so a separate branch
 * segments by red alone.
 */
export interface LargeModel {
  readonly model: Uint8Array<ArrayBuffer>;
  /** Multiply-adds of its convolutions, in billions. */
  readonly gigaMacs: number;
}

const SIDE = 1024;
/** Slope of alpha over redness, and the redness of half alpha: redder than anything in the bench's photo. */
const STEEPNESS = 40;
const HALF_RED = 0.63;

interface Block {
  /** Number of levels; 0: none, with dilations instead. */
  readonly levels: number;
  readonly channels: readonly [input: number, middle: number, output: number];
}

const ENCODER: readonly Block[] = [
  { levels: 7, channels: [64, 32, 64] },
  { levels: 6, channels: [64, 32, 128] },
  { levels: 5, channels: [128, 64, 256] },
  { levels: 4, channels: [256, 128, 512] },
  { levels: 0, channels: [512, 256, 512] },
  { levels: 0, channels: [512, 256, 512] },
];
const DECODER: readonly Block[] = [
  { levels: 0, channels: [1024, 256, 512] },
  { levels: 4, channels: [1024, 128, 256] },
  { levels: 5, channels: [512, 64, 128] },
  { levels: 6, channels: [256, 32, 64] },
  { levels: 7, channels: [128, 16, 64] },
];

/** Value of the graph and its size. */
interface Flow {
  readonly name: string;
  readonly channels: number;
  readonly side: number;
}

export function createIsnetStandIn(): LargeModel {
  const graph = new GraphWriter();
  let flow = graph.convolve({ name: 'input_image', channels: 3, side: SIDE }, 64, { stride: 2 });
  const seen: Flow[] = [];
  for (const [at, block] of ENCODER.entries()) {
    flow = graph.block(at === 0 ? flow : graph.halve(flow), block);
    seen.push(flow);
  }
  seen.pop();
  for (const block of DECODER) flow = graph.block(graph.join(graph.double(flow), seen.pop()), block);
  const side = graph.double(graph.convolve(flow, 1, {}));
  graph.constant('red', [1, 3, 1, 1], [STEEPNESS, -STEEPNESS / 2, -STEEPNESS / 2]);
  graph.constant('threshold', [1], [-STEEPNESS * HALF_RED]);
  graph.constant('nothing', [1], [0]);
  graph.node('Conv', ['input_image', 'red', 'threshold'], 'redness');
  graph.node('Mul', [side.name, 'nothing'], 'unheard');
  graph.node('Add', ['redness', 'unheard'], 'sum');
  graph.node('Sigmoid', ['sum'], 'output_image');
  return { model: graph.model(), gigaMacs: graph.macs / 1e9 };
}

class GraphWriter {
  readonly #nodes: GraphNode[] = [];
  readonly #constants: Record<string, { dims: readonly number[]; values: ArrayLike<number> }> = {};
  macs = 0;

  node(op: string, inputs: readonly string[], output: string, attributes?: GraphNode['attributes']): void {
    this.#nodes.push({ op, inputs, outputs: [output], ...(attributes && { attributes }) });
  }

  constant(name: string, dims: readonly number[], values: ArrayLike<number>): void {
    this.#constants[name] = { dims, values };
  }

  /** Adds a 3 x 3 convolution and ReLU. Layers of one shape share their weights, which changes no arithmetic. */
  convolve(from: Flow, channels: number, { stride = 1, dilation = 1 }): Flow {
    const weights = `weights_${channels}_${from.channels}`;
    const count = channels * from.channels * 9;
    if (!(weights in this.#constants)) {
      const values = new Float32Array(count).fill(1 / (from.channels * 9));
      this.constant(weights, [channels, from.channels, 3, 3], values);
    }
    const side = from.side / stride;
    this.macs += count * side * side;
    const name = this.#next();
    const pads = [dilation, dilation, dilation, dilation];
    this.node('Conv', [from.name, weights], `${name}_linear`, {
      strides: [stride, stride],
      dilations: [dilation, dilation],
      pads,
    });
    this.node('Relu', [`${name}_linear`], name);
    return { name, channels, side };
  }

  halve(from: Flow): Flow {
    const name = this.#next();
    this.node('MaxPool', [from.name], name, { kernel_shape: [2, 2], strides: [2, 2] });
    return { ...from, name, side: from.side / 2 };
  }

  double(from: Flow): Flow {
    const name = this.#next();
    this.constant('doubled', [4], [1, 1, 2, 2]);
    this.node('Resize', [from.name, '', 'doubled'], name);
    return { ...from, name, side: from.side * 2 };
  }

  join(a: Flow, b: Flow | undefined): Flow {
    if (!b) throw new Error('nothing to join with');
    const name = this.#next();
    this.node('Concat', [a.name, b.name], name, { axis: 1 });
    return { name, channels: a.channels + b.channels, side: a.side };
  }

  /** Adds U2-Net's residual U-block. */
  block(from: Flow, { levels, channels: [, middle, output] }: Block): Flow {
    const outer = this.convolve(from, output, {});
    const isFlat = levels === 0;
    const depth = isFlat ? 4 : levels;
    const seen = [this.convolve(outer, middle, {})];
    for (let level = 1; level < depth - 1; level++) {
      const above = seen.at(-1) as Flow;
      const dilation = isFlat ? 2 ** level : 1;
      seen.push(this.convolve(isFlat ? above : this.halve(above), middle, { dilation }));
    }
    let flow = this.convolve(seen.at(-1) as Flow, middle, { dilation: isFlat ? 8 : 2 });
    for (let level = depth - 2; level >= 0; level--) {
      const dilation = isFlat ? 2 ** level : 1;
      const joined = this.join(flow, seen[level]);
      flow = this.convolve(joined, level === 0 ? output : middle, { dilation });
      if (!isFlat && level > 0) flow = this.double(flow);
    }
    const name = this.#next();
    this.node('Add', [flow.name, outer.name], name);
    return { ...flow, name };
  }

  model(): Uint8Array<ArrayBuffer> {
    const port = (name: string, channels: number) => ({
      name,
      type: 'float32' as const,
      dims: [1, channels, SIDE, SIDE],
    });
    const graph: Graph = {
      inputs: [port('input_image', 3)],
      outputs: [port('output_image', 1)],
      nodes: this.#nodes,
      constants: this.#constants,
    };
    return encodeOnnxModel(graph);
  }

  #next(): string {
    return `value_${this.#nodes.length}`;
  }
}
