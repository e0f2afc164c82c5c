import type { MatteNetwork } from '../../models/remove-bg/networks.ts';
import { type GraphNode, type GraphPort, onnxModel } from './onnx-model.ts';

/**
 * A network of the same names, shapes and types as a matte network's, which finds what is red: it undoes the
 * normalisation that its description asks for, takes red as opacity, and puts it out the way its description says. So a
 * matte that is the picture's red channel proves all of the way there and back.
 */
export function matteStandIn(
  { layout, side, multipleOf, mean, deviation, output, card }: MatteNetwork,
  type: 'float32' | 'float16' = 'float32',
): Uint8Array<ArrayBuffer> {
  const { input, outputs } = NAMES[card.id] ?? { input: 'input', outputs: ['output'] };
  const sizes = multipleOf === null ? [side, side] : ['height', 'width'];
  const port = (name: string, channels: number): GraphPort => ({
    name,
    type,
    dims: layout === 'nchw' ? [1, channels, ...sizes] : [1, ...sizes, channels],
  });
  const [slope, offset] = { opacity: [1, 0], logit: [12, -6], 'min-max': [0.5, 0.2] }[output] as [
    number,
    number,
  ];
  const [first = '', ...others] = outputs;
  const nodes: GraphNode[] = [
    { op: 'Cast', inputs: [input], outputs: ['wide'], attributes: { to: 1 } },
    layout === 'nchw'
      ? { op: 'Identity', inputs: ['wide'], outputs: ['planes'] }
      : { op: 'Transpose', inputs: ['wide'], outputs: ['planes'], attributes: { perm: [0, 3, 1, 2] } },
    { op: 'Conv', inputs: ['planes', 'red', 'shift'], outputs: ['found'] },
    layout === 'nchw'
      ? { op: 'Identity', inputs: ['found'], outputs: ['arranged'] }
      : { op: 'Transpose', inputs: ['found'], outputs: ['arranged'], attributes: { perm: [0, 2, 3, 1] } },
    { op: 'Cast', inputs: ['arranged'], outputs: [first], attributes: { to: type === 'float16' ? 10 : 1 } },
    // Whoever takes another output than the first gets the opposite.
    ...others.map((name): GraphNode => ({ op: 'Neg', inputs: [first], outputs: [name] })),
  ];
  return onnxModel({
    inputs: [port(input, 3)],
    outputs: outputs.map((name) => port(name, 1)),
    nodes,
    constants: {
      red: { dims: [1, 3, 1, 1], values: [slope * deviation[0], 0, 0] },
      shift: { dims: [1], values: [slope * mean[0] + offset] },
    },
  });
}

/** Names as the published graphs have them. Those of the others are not relied on. */
const NAMES: Readonly<Record<string, { input: string; outputs: readonly string[] }>> = {
  u2netp: { input: 'input.1', outputs: ['1959', '1960', '1961', '1962', '1963', '1964', '1965'] },
  'selfie-segmentation': { input: 'input_1:0', outputs: ['activation_10'] },
  'birefnet-lite-fp16': { input: 'input_image', outputs: ['output_image'] },
};
