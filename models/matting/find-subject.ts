import { type ModelEngine, runBestEngine } from '../core/inference/engine-ladder.ts';
import { modelMismatch } from '../core/inference/model-errors.ts';
import { runSingle } from '../core/inference/sessions.ts';
import type { Inference, InferenceResult, Session } from '../core/runtime/inference.ts';
import type { ReportProgress } from '../core/runtime/progress.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import { formatWarning, type RunWarning, WarningSet } from '../core/runtime/run-warnings.ts';
import type { Tensor } from '../core/runtime/tensor.ts';
import { imageOfTensor, imageTensor, type PerChannel } from '../kernels/raster/image-tensor.ts';
import { mirrorImage } from '../kernels/raster/orient-raster.ts';
import { resizeImage } from '../kernels/raster/resize.ts';
import { findSubjects } from '../kernels/raster/subjects.ts';
import { MATTE_MODELS, type MatteModel } from './matte-models.ts';
import { refineWithCloseUps, searchSmallSubjects } from './refine-with-close-ups.ts';

interface Prediction extends Pick<InferenceResult, 'provider' | 'notices'> {
  /** One channel, 0 to 1, at the model's own resolution: over the whole image, possibly not in its shape. */
  readonly matte: FloatImage;
}

interface PredictOptions {
  /** Whether the model sees the image mirrored; its matte is mirrored back. */
  readonly isMirrored?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Excess of an opacity that rounding explains, in numbers of 16 bits, too. A graph without its sigmoid returns more.
 */
const EXCESS_MAX = 0.1;

export interface FoundSubject {
  /** One channel, 0 to 1, over the whole image: at the model's own resolution, or finer after a second look. */
  readonly matte: FloatImage;
  /** Id of the model's weights. */
  readonly model: string;
  /** Model and execution provider. */
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
}

export interface FindOptions {
  /** Id of a model's weights, or `auto` for the best one available. */
  readonly engine: string;
  /** Whether a fast model may also look at the mirrored image, which takes twice the time: not for videos. */
  readonly isStill: boolean;
  readonly signal: AbortSignal;
  /** Receives the progress of loading weights. */
  readonly onProgress: ReportProgress;
  /** Called when the model is open, and begins to look. */
  readonly onOpen?: () => void;
  /** Receives the first matte that the model finds, before it looks again. */
  readonly onFirst?: ((matte: FloatImage) => void) | undefined;
}

/**
 * Predicts the subject of an image with the best available model.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` when no model is left
 */
export async function findSubject(
  inference: Inference,
  colours: FloatImage,
  options: FindOptions,
): Promise<FoundSubject> {
  const engines = MATTE_MODELS.map((model) => getEngine(model, colours, options));
  const ladder = { ...options, purpose: 'finds subjects' };
  const { value, id, engine, warnings } = await runBestEngine(inference, engines, ladder);
  return { matte: value, model: id, engine, warnings };
}

function getEngine(model: MatteModel, colours: FloatImage, options: FindOptions): ModelEngine<FloatImage> {
  const { card, finds } = model;
  return {
    id: card.id,
    card,
    // A caller that asks for such a model by name knows what it is for.
    isOptIn: finds === 'people',
    ...(card.url === null && {
      fallbackWarning: formatWarning('fallback', card.id),
    }),
    run(session) {
      options.onOpen?.();
      return predict(model, session, colours, options);
    },
  };
}

/** Runs the model on an image as often as it allows. */
async function predict(
  model: MatteModel,
  session: Session,
  colours: FloatImage,
  { isStill, signal, onFirst }: FindOptions,
) {
  const notices = new WarningSet();
  let provider = '';
  const predictPart = async (part: FloatImage, isMirrored: boolean): Promise<FloatImage> => {
    const prediction = await predictMatte(model, session, part, { isMirrored, signal });
    notices.add(...prediction.notices);
    if (!provider) onFirst?.(prediction.matte);
    provider = prediction.provider;
    return prediction.matte;
  };
  const predictBothWays = async (part: FloatImage) =>
    getMean(await predictPart(part, false), await predictPart(part, true));
  const predictOnce = (part: FloatImage) => predictPart(part, false);
  const predictView = model.looksAgain && isStill ? predictBothWays : predictOnce;
  const refine = async (first: FloatImage) => {
    const isMissing = isStill && findSubjects(first).count === 0;
    const found = isMissing ? await searchSmallSubjects(colours, first, predictOnce) : first;
    return await refineWithCloseUps(colours, found, predictView);
  };
  const first = await predictView(colours);
  const value = model.looksAgain ? await refine(first) : first;
  return { value, provider, notices: [...notices] };
}

/** Averages two mattes of one size. */
function getMean(one: FloatImage, other: FloatImage): FloatImage {
  return { ...one, data: one.data.map((value, at) => (value + other.data[at]) / 2) };
}

/** Task that another model does not do. */
const LACK = 'map an image to a matte';

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
  const options = { card: model.card, lack: LACK, signal };
  const { output, provider, notices } = await runSingle(session, options, (type) => {
    const small = resizeImage(colours, ...inputSize(model, colours));
    return toTensor(model, isMirrored ? mirrorImage(small) : small, type);
  });
  const matte = toMatte(model, output);
  return { matte: isMirrored ? mirrorImage(matte) : matte, provider, notices };
}

function inputSize({ side, multipleOf }: MatteModel, { width, height }: FloatImage): [number, number] {
  if (multipleOf === undefined) return [side, side];
  const scale = side / Math.max(width, height);
  const toMultiple = (length: number) =>
    Math.max(multipleOf, Math.round((length * scale) / multipleOf) * multipleOf);
  return [toMultiple(width), toMultiple(height)];
}

function toTensor(model: MatteModel, image: FloatImage, type: 'float32' | 'float16'): Tensor {
  const { layout = 'nchw', scale, mean, deviation } = model;
  // A black image stays black.
  const divisor = scale === 'picture-maximum' ? getLargest(image.data) || 1 : 1;
  const scaled = ([red, green, blue]: PerChannel): PerChannel => [
    red * divisor,
    green * divisor,
    blue * divisor,
  ];
  return imageTensor(image, { type, layout, mean: scaled(mean), deviation: scaled(deviation) });
}

function toMatte(model: MatteModel, output: Tensor): FloatImage {
  const matte = imageOfTensor(output, model.layout ?? 'nchw', 1);
  if (!matte) throw modelMismatch(model.card, LACK);
  return { ...matte, data: getOpacity(model, matte.data) };
}

function getOpacity(
  { card, output }: MatteModel,
  values: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  if (output === 'logit') return values.map((value) => 1 / (1 + Math.exp(-value)));
  if (values.some((value) => value < -EXCESS_MAX || value > 1 + EXCESS_MAX)) {
    throw modelMismatch(card, 'return an opacity from 0 to 1');
  }
  return values.map((value) => Math.min(1, Math.max(0, value)));
}

function getLargest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
