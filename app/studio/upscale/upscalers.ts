import { readEngineNames } from '../../../models/core/runtime/engine-name.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { VideoFormat } from '../../../models/core/runtime/video-codec.ts';
import { CENTIMETRES_PER_INCH } from '../../../models/media/bytes/print-units.ts';
import { OUTPUT_FORMATS } from '../../../models/media/image/output-format.ts';
import type { UpscaleNetwork } from '../../../models/operations/upscale/plan-passes.ts';
import {
  enlargedPixels,
  OUTPUT_PIXELS_MAX,
  planPasses,
  SCALES,
  type Scale,
} from '../../../models/operations/upscale/plan-passes.ts';
import { BEST_UPSCALER, UPSCALERS, upscalersFor } from '../../../models/operations/upscale/upscalers.ts';
import { formatBytes } from '../../ui/quantities.ts';
import type { Model } from '../form/model.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import type { Field, ParamValue, ParamValues } from '../tools/fields.ts';
import { type FormatWords, imageFormatWords } from '../tools/wording.ts';

export const IMAGE_FORMATS = imageFormatWords(OUTPUT_FORMATS);

export const VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  mp4: { name: 'MP4', means: 'Plays everywhere.' },
  webm: { name: 'WebM', means: 'Smaller, slower to make.' },
};

/** Format of videos: images and videos of one batch have each their own. */
export const VIDEO_FORMAT_FIELD: Field = {
  kind: 'choice',
  name: 'video_format',
  values: Object.keys(VIDEO_FORMATS),
  initial: 'mp4',
};

/** Texts of a model. */
interface UpscalerWords {
  readonly name: string;
  readonly means: string;
}

const BEST: UpscalerWords = {
  name: 'Best available',
  means: 'Suits itself to the image. No download.',
};

/** Lists the upscalers to choose from: the best available first. */
export function modelsFor(scale: Scale, isVideo: boolean): readonly Model[] {
  const best = { id: BEST_UPSCALER, name: BEST.name, notes: [BEST.means] };
  const named = UPSCALERS.map(({ id }): Model => {
    const { name, means } = getTexts(id);
    const cards = weightsFor(id, scale, isVideo).map(({ card }) => card);
    return { id, name, notes: [means, cards[0]?.licence.name ?? ''], weights: cards.map((card) => [card]) };
  });
  return [best, ...named];
}

export function getTexts(id: string): UpscalerWords {
  if (id === BEST_UPSCALER) return BEST;
  const { name = id, summary = '' } = UPSCALERS.find((each) => each.id === id) ?? {};
  return { name, means: summary };
}

/** Names the model of an engine, such as `darkroom on wasm`. */
export const getModelName = (engine: string): string => getTexts(readEngineNames(engine)[0].id).name;

/** Returns the networks that a choice needs for a factor. */
export function weightsFor(model: string, scale: Scale, isVideo: boolean): readonly UpscaleNetwork[] {
  const [upscaler] = upscalersFor(model, isVideo ? 'video' : 'image');
  return upscaler ? [...new Set(planPasses(upscaler, scale).networks)] : [];
}

/** Describes `darkroom on wasm` in words: the provider, the model and its size. */
export function describeEngine(engine: string, scale: Scale): string {
  const [{ id, provider }] = readEngineNames(engine);
  const upscaler = UPSCALERS.find((each) => each.id === id);
  const networks = upscaler ? planPasses(upscaler, scale).networks : [];
  const size = [...new Set(networks)].reduce((sum, { card }) => sum + (card.bytes ?? 0), 0);
  return [provider, `${getTexts(id).name} ${formatBytes(size)}`].filter(Boolean).join(' · ');
}

/** Reasons for the choice of the best available model, by the kind of image. */
const CHOSEN_FOR: Readonly<Record<string, string>> = {
  image: 'chosen for a clean image',
  drawing: 'chosen for a drawing',
  'degraded image': 'chosen for traces of compression or noise',
};

/** Says what the model of a result was chosen for; nothing where the visitor chose it, or that is unknown. */
function describeChoice({ state }: BatchItem): readonly string[] {
  if (state.phase !== 'done' || state.resultParams?.model !== BEST_UPSCALER) return [];
  const reason = CHOSEN_FOR[String(state.result.details?.input_kind)];
  return reason ? [reason] : [];
}

/** Pixels of the smallest image that tells how long others take: below, what each run costs outweighs them. */
const TIMED_PIXELS_MIN = 64 * 64;

/** Returns the seconds for each pixel of an image; undefined where they are not measured, or tell nothing of others. */
export function secondsPerPixel(
  wholeSeconds: number | undefined,
  { width, height }: ImageSize,
): number | undefined {
  const pixels = width * height;
  return wholeSeconds === undefined || pixels < TIMED_PIXELS_MIN ? undefined : wholeSeconds / pixels;
}

/** Dots per inch of a good print. */
export const PRINT_DPI = 300;

/** Params of the size of a result, and the others. */
export interface UpscaleValues {
  readonly scale: Scale;
  /** Largest width of the result, in pixels. */
  readonly width?: number;
  readonly [name: string]: ParamValue;
}

/**
 * Returns the params of a run over an image: a width gives each image the factor that it needs.
 * @param size upright; undefined while it is unknown
 */
export function imageParams(values: ParamValues, size: ImageSize | undefined): UpscaleValues {
  const { model, output_format, scale, width, dpi } = values;
  const target = typeof width === 'number' ? width : undefined;
  return {
    model,
    scale: scale as Scale,
    output_format,
    ...(target !== undefined && (size ? targetParams(size, target) : { width: target })),
    ...(dpi !== undefined && { dpi }),
  };
}

/** Returns the params for a width in pixels: the smallest factor that reaches it, of those that are allowed. */
export function targetParams(size: ImageSize, width: number): Pick<UpscaleValues, 'scale' | 'width'> {
  const allowed = SCALES.filter((scale) => enlargedPixels(size, scale) <= OUTPUT_PIXELS_MAX);
  const scale = allowed.find((each) => size.width * each >= width) ?? allowed.at(-1) ?? SCALES[0];
  return { scale, ...(width < size.width * scale && { width }) };
}

/** Converts a width in centimetres to pixels. */
export const toPixels = (cm: number, dpi: number): number =>
  Math.max(1, Math.round((cm / CENTIMETRES_PER_INCH) * dpi));

/** Describes the size in print: `21.7 × 14.4 cm`. */
export function describePrint({ width, height }: ImageSize, dpi = PRINT_DPI): string {
  const [across, down] = [width, height].map((side) => ((side / dpi) * CENTIMETRES_PER_INCH).toFixed(1));
  return `${across} × ${down} cm`;
}

/** Describes how a result was made: the provider, the model, its size and why it was chosen. */
export function describeRun(item: BatchItem): readonly string[] {
  const { state } = item;
  const scale = resultScale(item);
  if (state.phase !== 'done' || scale === undefined || !state.result.engine) return [];
  return [describeEngine(state.result.engine, scale), ...describeChoice(item)];
}

/** Describes an enlarged size: `1280 × 853 → 2560 × 1706`. */
export function describeSize({ width, height }: ImageSize, to: ImageSize): string {
  return `${width} × ${height} → ${to.width} × ${to.height}`;
}

/** Returns the size of a result; undefined without one. */
export function resultSize({ state }: BatchItem): ImageSize | undefined {
  const size = state.phase === 'done' ? state.result.details?.output_size : undefined;
  const [width = Number.NaN, height = Number.NaN] = String(size).split('x').map(Number);
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Returns the factor of a result; undefined without one. */
export function resultScale({ state }: BatchItem): Scale | undefined {
  const scale = state.phase === 'done' ? state.result.details?.scale : undefined;
  return typeof scale === 'number' ? (scale as Scale) : undefined;
}

/**
 * Returns the facts that only the upscaler knows.
 * @param size of the original; undefined where another fact says how large the result is
 * @param chosen size, for a file without a result
 */
export function getFacts(
  { item, isOutdated, renewal }: ShownFile,
  size: ImageSize | undefined,
  chosen: ImageSize | undefined,
): readonly string[] {
  const to = resultSize(item) ?? chosen;
  const facts = [
    size && to && describeSize(size, to),
    isOutdated && !renewal && 'made with earlier settings',
  ];
  return facts.filter((fact) => typeof fact === 'string');
}
