import { OperationError } from '../errors.ts';
import type { Inferred, Session } from '../inference.ts';
import { mirrorImage } from '../kernels/mirror-image.ts';
import { resizeImage } from '../kernels/resize.ts';
import type { FloatImage } from '../raster.ts';
import { floatsOf, floatTensor, type Tensor } from '../tensor.ts';
import type { MatteNetwork } from './networks.ts';

export interface Prediction extends Pick<Inferred, 'provider' | 'notices'> {
  /** One channel, 0 to 1, at the network's own resolution: over the whole picture, perhaps not in its shape. */
  readonly matte: FloatImage;
}

export interface PredictOptions {
  /** Whether the network is shown the picture mirrored; its matte is mirrored back. */
  readonly isMirrored?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Lets a network say what in a picture is subject.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` when the network is not of the kind that its description says
 */
export async function predictMatte(
  network: MatteNetwork,
  session: Session,
  colours: FloatImage,
  { isMirrored = false, signal }: PredictOptions,
): Promise<Prediction> {
  const [input] = session.inputs;
  const [output] = session.outputs;
  if (!input || !output || (input.type !== 'float32' && input.type !== 'float16')) throw unlikeCard(network);
  const small = resizeImage(colours, ...inputSize(network, colours));
  const feed = toTensor(network, isMirrored ? mirrorImage(small) : small, input.type);
  const { outputs, provider, notices } = await session.run({ [input.name]: feed }, signal);
  const answer = outputs[output.name];
  if (!answer) throw unlikeCard(network);
  const matte = toMatte(network, answer);
  return { matte: isMirrored ? mirrorImage(matte) : matte, provider, notices };
}

function inputSize({ side, multipleOf }: MatteNetwork, { width, height }: FloatImage): [number, number] {
  if (multipleOf === null) return [side, side];
  const scale = side / Math.max(width, height);
  const toMultiple = (length: number) =>
    Math.max(multipleOf, Math.round((length * scale) / multipleOf) * multipleOf);
  return [toMultiple(width), toMultiple(height)];
}

function toTensor(
  network: MatteNetwork,
  { width, height, data }: FloatImage,
  type: 'float32' | 'float16',
): Tensor {
  const { layout, scale } = network;
  // A black picture stays black.
  const divisor = scale === 'unit' ? 1 : extremesOf(data)[1] || 1;
  const [red, green, blue] = network.mean.map((mean) => mean * divisor) as [number, number, number];
  const [redSpan, greenSpan, blueSpan] = network.deviation.map((deviation) => deviation * divisor) as [
    number,
    number,
    number,
  ];
  const values = new Float32Array(data.length);
  const [toChannel, step] = layout === 'nchw' ? [width * height, 1] : [1, 3];
  for (let from = 0, to = 0; from < data.length; from += 3, to += step) {
    values[to] = ((data[from] as number) - red) / redSpan;
    values[to + toChannel] = ((data[from + 1] as number) - green) / greenSpan;
    values[to + 2 * toChannel] = ((data[from + 2] as number) - blue) / blueSpan;
  }
  return floatTensor(type, layout === 'nchw' ? [1, 3, height, width] : [1, height, width, 3], values);
}

function toMatte(network: MatteNetwork, answer: Tensor): FloatImage {
  const [batch, ...sizes] = answer.dims;
  const [height, width] = network.layout === 'nchw' ? sizes.slice(-2) : sizes;
  const values = floatsOf(answer);
  if (batch !== 1 || !height || !width || values.length !== width * height) throw unlikeCard(network);
  return { width, height, channels: 1, data: opacityOf(network, values) };
}

function opacityOf({ output }: MatteNetwork, values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  if (output === 'logit') return values.map((value) => 1 / (1 + Math.exp(-value)));
  const [least, most] = output === 'opacity' ? [0, 1] : extremesOf(values);
  const scale = most > least ? 1 / (most - least) : 0;
  const opacity = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    opacity[at] = Math.min(1, Math.max(0, ((values[at] as number) - least) * scale));
  }
  return opacity;
}

/** The smallest and the largest value. */
function extremesOf(values: Float32Array): [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

function unlikeCard({ card }: MatteNetwork): OperationError {
  return new OperationError(
    'unavailable',
    `${card.id}: the network does not take a picture and give a matte.`,
  );
}
