import { unlikeCard } from '../core/inference/unlike-card.ts';
import type { InferenceResult, Session } from '../core/runtime/inference.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import type { Tensor } from '../core/runtime/tensor.ts';
import { imageOfTensor, imageTensor, type PerChannel } from '../kernels/raster/image-tensor.ts';
import { mirrorImage } from '../kernels/raster/mirror-image.ts';
import { resizeImage } from '../kernels/resize/resize.ts';
import type { MatteModel } from './matte-models.ts';

export interface Prediction extends Pick<InferenceResult, 'provider' | 'notices'> {
  /** One channel, 0 to 1, at the model's own resolution: over the whole image, possibly not in its shape. */
  readonly matte: FloatImage;
}

export interface PredictOptions {
  /** Whether the model sees the image mirrored; its matte is mirrored back. */
  readonly isMirrored?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Predicts a matte with a model.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` when the model does not match its description
 */
export async function predictMatte(
  model: MatteModel,
  session: Session,
  colours: FloatImage,
  { isMirrored = false, signal }: PredictOptions,
): Promise<Prediction> {
  const [input] = session.inputs;
  const [output] = session.outputs;
  if (!input || !output || (input.type !== 'float32' && input.type !== 'float16'))
    throw unlikeCard(model.card, 'map an image to a matte');
  const small = resizeImage(colours, ...inputSize(model, colours));
  const feed = toTensor(model, isMirrored ? mirrorImage(small) : small, input.type);
  const { outputs, provider, notices } = await session.run({ [input.name]: feed }, signal, [output.name]);
  const answer = outputs[output.name];
  if (!answer) throw unlikeCard(model.card, 'map an image to a matte');
  const matte = toMatte(model, answer);
  return { matte: isMirrored ? mirrorImage(matte) : matte, provider, notices };
}

function inputSize({ side, multipleOf }: MatteModel, { width, height }: FloatImage): [number, number] {
  if (multipleOf === null) return [side, side];
  const scale = side / Math.max(width, height);
  const toMultiple = (length: number) =>
    Math.max(multipleOf, Math.round((length * scale) / multipleOf) * multipleOf);
  return [toMultiple(width), toMultiple(height)];
}

function toTensor(model: MatteModel, image: FloatImage, type: 'float32' | 'float16'): Tensor {
  const { layout, scale, mean, deviation } = model;
  // A black image stays black.
  const divisor = scale === 'unit' ? 1 : largestOf(image.data) || 1;
  const scaled = ([red, green, blue]: PerChannel): PerChannel => [
    red * divisor,
    green * divisor,
    blue * divisor,
  ];
  return imageTensor(image, { type, layout, mean: scaled(mean), deviation: scaled(deviation) });
}

function toMatte(model: MatteModel, answer: Tensor): FloatImage {
  const matte = imageOfTensor(answer, model.layout, 1);
  if (!matte) throw unlikeCard(model.card, 'map an image to a matte');
  return { ...matte, data: opacityOf(model, matte.data) };
}

/**
 * Excess of an opacity that rounding explains, in numbers of 16 bits, too. A graph without its sigmoid returns more.
 */
const EXCESS_MAX = 0.1;

function opacityOf(
  { card, output }: MatteModel,
  values: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  if (output === 'logit') return values.map((value) => 1 / (1 + Math.exp(-value)));
  if (values.some((value) => value < -EXCESS_MAX || value > 1 + EXCESS_MAX)) {
    throw unlikeCard(card, 'return an opacity from 0 to 1');
  }
  return values.map((value) => Math.min(1, Math.max(0, value)));
}

function largestOf(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
