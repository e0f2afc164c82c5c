import { encodeOnnxModel, type GraphNode, type GraphPort } from '../../../server/ops/build/graphs/onnx.ts';

/** Matting model as its publisher documents it, independent of the product's own description. */
interface Contract {
  readonly input: string;
  /** The first is the matte. */
  readonly outputs: readonly string[];
  /** `image`: position of the three channels; a number is a fixed size. */
  readonly dims: readonly ('image' | number | string)[];
  /** Undoes the normalisation of red: `red = slope * value + offset`. */
  readonly red: readonly [slope: number, offset: number];
  /** Encoding of alpha in the output: `value = slope * alpha + offset`. */
  readonly matte: readonly [slope: number, offset: number];
}

/** Normalised by ImageNet's mean and deviation, of which red's are 0.485 and 0.229. */
const IMAGENET_RED = [0.229, 0.485] as const;

const CONTRACTS: Readonly<Record<string, Contract>> = {
  'birefnet-lite-fp16': {
    input: 'input_image',
    outputs: ['output_image'],
    dims: [1, 'image', 1024, 1024],
    red: IMAGENET_RED,
    // A logit: the logistic function makes it nearly 0 and nearly 1.
    matte: [12, -6],
  },
  'isnet-general-use': {
    input: 'input_image',
    outputs: ['output_image'],
    dims: [1, 'image', 1024, 1024],
    red: [1, 0.5],
    matte: [1, 0],
  },
  u2netp: {
    input: 'input.1',
    outputs: ['1959', '1960', '1961', '1962', '1963', '1964', '1965'],
    dims: [1, 'image', 320, 320],
    red: IMAGENET_RED,
    matte: [1, 0],
  },
  matte: {
    input: 'image',
    outputs: ['alpha'],
    dims: [1, 'image', 'height', 'width'],
    red: [1, 0],
    matte: [1, 0],
  },
  'modnet-fp16': {
    input: 'input',
    outputs: ['output'],
    dims: [1, 'image', 'height', 'width'],
    red: [0.5, 0.5],
    matte: [1, 0],
  },
  'selfie-segmentation': {
    input: 'input_1:0',
    outputs: ['activation_10'],
    dims: [1, 256, 256, 'image'],
    red: [1, 0],
    matte: [1, 0],
  },
};

/**
 * Alpha that the stand-ins compute from red, 0 to 1. Curved, so that neither a wrong scale nor a wrong mean cancels
 * out.
 */
export function alphaFromRed(red: number): number {
  return (red * red + red) / 2;
}

/**
 * Model of the same names, shapes and types as a published one, which segments red: it reads red with its publisher's
 * normalisation, and writes alpha in its publisher's encoding. So a matte equal to `opacityOfRed` proves the whole
 * round trip.
 */
export function createMatteModel(
  id: string,
  type: 'float32' | 'float16' = 'float32',
): Uint8Array<ArrayBuffer> {
  const contract = CONTRACTS[id];
  if (!contract) throw new Error(`no stand-in for ${id}`);
  const { input, outputs, dims, red, matte } = contract;
  const isPlanar = dims[1] === 'image';
  const port = (name: string, channels: number): GraphPort => ({
    name,
    type,
    dims: dims.map((size) => (size === 'image' ? channels : size)),
  });
  const arrange = (from: string, to: string, perm: readonly number[]): GraphNode =>
    isPlanar
      ? { op: 'Identity', inputs: [from], outputs: [to] }
      : { op: 'Transpose', inputs: [from], outputs: [to], attributes: { perm } };
  const [first = '', ...others] = outputs;
  return encodeOnnxModel({
    inputs: [port(input, 3)],
    outputs: outputs.map((name) => port(name, 1)),
    nodes: [
      { op: 'Cast', inputs: [input], outputs: ['wide'], attributes: { to: 1 } },
      arrange('wide', 'planes', [0, 3, 1, 2]),
      { op: 'Conv', inputs: ['planes', 'weight', 'bias'], outputs: ['found'] },
      { op: 'Mul', inputs: ['found', 'found'], outputs: ['squared'] },
      { op: 'Add', inputs: ['squared', 'found'], outputs: ['twice'] },
      { op: 'Mul', inputs: ['twice', 'slope'], outputs: ['steep'] },
      { op: 'Add', inputs: ['steep', 'offset'], outputs: ['coded'] },
      arrange('coded', 'arranged', [0, 2, 3, 1]),
      { op: 'Cast', inputs: ['arranged'], outputs: [first], attributes: { to: type === 'float16' ? 10 : 1 } },
      // A reader of another output than the first gets the opposite.
      ...others.map((name): GraphNode => ({ op: 'Neg', inputs: [first], outputs: [name] })),
    ],
    constants: {
      weight: { dims: [1, 3, 1, 1], values: [red[0], 0, 0] },
      bias: { dims: [1], values: [red[1]] },
      slope: { dims: [1], values: [matte[0] / 2] },
      offset: { dims: [1], values: [matte[1]] },
    },
  });
}
