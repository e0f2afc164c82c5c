import { type ModelEngine, runBestEngine } from '../core/inference/engine-ladder.ts';
import type { Inference, Session } from '../core/runtime/inference.ts';
import type { ReportProgress } from '../core/runtime/progress.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import { formatWarning, type RunWarning, WarningSet } from '../core/runtime/run-warnings.ts';
import { MATTE_MODELS, type MatteModel } from './matte-models.ts';
import { predictMatte } from './predict-matte.ts';
import { refineWithCloseUps } from './refine-with-close-ups.ts';

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
  const engines = MATTE_MODELS.map((model) => engineOf(model, colours, options));
  const ladder = { ...options, purpose: 'finds subjects' };
  const { value, id, engine, warnings } = await runBestEngine(inference, engines, ladder);
  return { matte: value, model: id, engine, warnings };
}

function engineOf(model: MatteModel, colours: FloatImage, options: FindOptions): ModelEngine<FloatImage> {
  const { card, finds } = model;
  return {
    id: card.id,
    card,
    // Whoever asks for such a model by name knows what it is for.
    isOptIn: finds === 'people',
    ...(card.url === null && {
      fallbackWarning: formatWarning('fallback', card.id),
    }),
    run: (session) => predict(model, session, colours, options),
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
    meanOf(await predictPart(part, false), await predictPart(part, true));
  const predictOnce = (part: FloatImage) => predictPart(part, false);
  const predictView = model.looksAgain && isStill ? predictBothWays : predictOnce;
  const first = await predictView(colours);
  const value = model.looksAgain ? await refineWithCloseUps(colours, first, predictView) : first;
  return { value, provider, notices: [...notices] };
}

/** Averages two mattes of one size. */
function meanOf(one: FloatImage, other: FloatImage): FloatImage {
  return { ...one, data: one.data.map((value, at) => (value + other.data[at]) / 2) };
}
