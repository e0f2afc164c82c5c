import { assertAccepted, runBestEngine } from '../core/inference/engine-ladder.ts';
import { type FailureKind, OperationError } from '../core/operation/errors.ts';
import { nameEngine } from '../core/runtime/engine-name.ts';
import type { Inference, WeightOptions } from '../core/runtime/inference.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import { formatWarning, getMessages, type RunWarning } from '../core/runtime/run-warnings.ts';
import { type Category, maxSeverity, type Severity } from './categories.ts';
import { CLIP_CARDS, classifyWithClip } from './classify-with-clip.ts';
import { CLIP } from './engines.ts';
import { sexualEngines } from './sexual-networks.ts';

export interface ModerationOptions extends WeightOptions {
  readonly categories: readonly Category[];
  /** Id of one of `MODERATION_ENGINES`, or `auto`. */
  readonly engine: string;
}

export interface ModerationResult {
  /** One for each requested category. */
  readonly severities: ReadonlyMap<Category, Severity>;
  /** Engines that ran, with their execution providers. */
  readonly engine: string;
  readonly warnings: readonly RunWarning[];
}

/** Judgement of some of the categories. */
interface Part {
  readonly severities: ReadonlyMap<Category, Severity>;
  readonly engines: readonly string[];
  readonly warnings: readonly RunWarning[];
  /** Kind of the failure that left the part empty. */
  readonly kind?: FailureKind | undefined;
}

/**
 * Judges an image. CLIP judges any category where it is available; a network for the category Sexual judges that one as
 * well, and the higher severity counts. A named engine for Sexual judges alone.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` naming the requested categories that no available engine judges, and
 *   those that one does
 */
export async function moderateImage(
  inference: Inference,
  colours: FloatImage,
  options: ModerationOptions,
): Promise<ModerationResult> {
  const general = await byClip(inference, colours, options);
  const special = await bySexualNetwork(inference, colours, options);
  const severities = new Map<Category, Severity>();
  for (const category of options.categories) {
    const found = [general, special].flatMap((part) => part.severities.get(category) ?? []);
    if (found.length > 0) severities.set(category, found.reduce(maxSeverity));
  }
  const warnings = [...general.warnings, ...special.warnings];
  const missing = options.categories.filter((category) => !severities.has(category));
  if (missing.length > 0) {
    const reason = `categories: no engine that judges ${missing.join(', ')} is available.`;
    const advice =
      severities.size > 0 ? [`Leave them out to judge ${[...severities.keys()].join(', ')}.`] : [];
    throw new OperationError('unavailable', [reason, ...advice, ...getMessages(warnings)].join(' '), {
      kind: general.kind ?? special.kind ?? 'model_unusable',
    });
  }
  return { severities, engine: [...general.engines, ...special.engines].join(', '), warnings };
}

const NOTHING: Part = { severities: new Map(), engines: [], warnings: [] };
const failed = ({ message, kind }: OperationError): Part => ({
  ...NOTHING,
  warnings: [formatWarning('engine_failed', message)],
  kind,
});

async function byClip(inference: Inference, colours: FloatImage, options: ModerationOptions): Promise<Part> {
  const { engine, categories } = options;
  if (engine !== 'auto' && engine !== CLIP.id) return NOTHING;
  const places = await Promise.all(CLIP_CARDS.map((card) => inference.availability(card)));
  if (places.includes('unavailable')) return NOTHING;
  if (places.includes('on-request') && engine === 'auto') return NOTHING;
  try {
    await assertAccepted(inference, { ...CLIP, cards: CLIP_CARDS }, options);
    const { severities, provider, notices } = await classifyWithClip(inference, colours, categories, options);
    return { severities, engines: [nameEngine({ id: CLIP.id, provider })], warnings: notices };
  } catch (thrown) {
    if (!(thrown instanceof OperationError) || thrown.code !== 'unavailable') throw thrown;
    return failed(thrown);
  }
}

async function bySexualNetwork(
  inference: Inference,
  colours: FloatImage,
  options: ModerationOptions,
): Promise<Part> {
  if (!options.categories.includes('Sexual')) return NOTHING;
  const engine = options.engine === CLIP.id ? 'auto' : options.engine;
  const ladder = { ...options, engine, purpose: 'judges Sexual' };
  try {
    const found = await runBestEngine(inference, sexualEngines(colours, options.signal), ladder);
    const severities = new Map([['Sexual', found.value]] as const);
    return { severities, engines: [found.engine], warnings: found.warnings };
  } catch (thrown) {
    if (!(thrown instanceof OperationError) || thrown.code !== 'unavailable') throw thrown;
    return failed(thrown);
  }
}
