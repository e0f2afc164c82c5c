import { encodeOnnxModel, type GraphNode } from '../../../server/ops/build/graphs/onnx.ts';

const KERNEL = 5;

/**
 * Graph of Spleeter's contract and shape with random weights: six convolutions in steps of 2, as many transposed ones
 * with what the first ones saw, ELU, and a sigmoid mask over the input.
 * @param filters of the first convolution: 16 in Spleeter itself, 9.8 million parameters
 */
export function encodeRandomUNet(seed: number, filters: number): Uint8Array<ArrayBuffer> {
  const random = randomNumbers(seed);
  const constants: Record<string, { dims: number[]; values: Float32Array }> = {};
  const weights = (name: string, dims: readonly [number, number, number, number]) => {
    const [count, fanIn] = [dims.reduce((product, size) => product * size), dims[1] * dims[2] * dims[3]];
    const values = Float32Array.from({ length: count }, () => random() * Math.sqrt(6 / fanIn));
    constants[name] = { dims: [...dims], values };
    return name;
  };
  const nodes: GraphNode[] = [
    { op: 'Transpose', inputs: ['x'], outputs: ['down0'], attributes: { perm: [1, 0, 2, 3] } },
  ];
  const widths = [2, ...Array.from({ length: 6 }, (_, at) => filters * 2 ** at)];
  const stride = { kernel_shape: [KERNEL, KERNEL], strides: [2, 2], pads: [1, 1, 2, 2] };
  for (let at = 1; at <= 6; at++) {
    const kernel = weights(`w${at}`, [widths[at], widths[at - 1], KERNEL, KERNEL]);
    nodes.push({ op: 'Conv', inputs: [`down${at - 1}`, kernel], outputs: [`c${at}`], attributes: stride });
    nodes.push({ op: 'Elu', inputs: [`c${at}`], outputs: [`down${at}`] });
  }
  let [last, width] = ['down6', widths[6]];
  for (let at = 5; at >= 0; at--) {
    const out = at === 0 ? 1 : widths[at];
    const kernel = weights(`u${at}`, [width, out, KERNEL, KERNEL]);
    nodes.push({ op: 'ConvTranspose', inputs: [last, kernel], outputs: [`t${at}`], attributes: stride });
    nodes.push({ op: 'Elu', inputs: [`t${at}`], outputs: [`up${at}`] });
    if (at > 0) {
      nodes.push({
        op: 'Concat',
        inputs: [`down${at}`, `up${at}`],
        outputs: [`j${at}`],
        attributes: { axis: 1 },
      });
    }
    [last, width] = [at > 0 ? `j${at}` : 'up0', 2 * out];
  }
  const kernel = weights('mask', [2, 1, 4, 4]);
  const dilated = { kernel_shape: [4, 4], dilations: [2, 2], pads: [3, 3, 3, 3] };
  nodes.push({ op: 'Conv', inputs: ['up0', kernel], outputs: ['logits'], attributes: dilated });
  nodes.push({ op: 'Sigmoid', inputs: ['logits'], outputs: ['share'] });
  nodes.push({ op: 'Mul', inputs: ['share', 'down0'], outputs: ['stem'] });
  nodes.push({ op: 'Transpose', inputs: ['stem'], outputs: ['y'], attributes: { perm: [1, 0, 2, 3] } });
  return encodeOnnxModel({
    inputs: [{ name: 'x', type: 'float32', dims: [2, 'n', 512, 1024] }],
    outputs: [{ name: 'y', type: 'float32', dims: [2, 'n', 512, 1024] }],
    nodes,
    constants,
  });
}

/** Returns a generator of numbers from -1 to 1: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
