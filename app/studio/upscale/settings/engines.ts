import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import {
  planPasses,
  type Scale,
  type UpscaleNetwork,
} from '../../../../models/operations/upscale/plan-passes.ts';
import { BEST_UPSCALER, UPSCALERS, upscalersFor } from '../../../../models/operations/upscale/upscalers.ts';
import { formatBytes } from '../../../text/quantities.ts';
import type { Model } from '../../form/model.ts';

/** Texts of a model. */
interface UpscalerWords {
  readonly name: string;
  readonly means: string;
}

const BEST: UpscalerWords = {
  name: 'Best available',
  means: 'Our own: for clean images, for compressed or noisy ones, and for videos. No download needed.',
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

/** Returns the networks that a choice needs for a factor. */
export function weightsFor(model: string, scale: Scale, isVideo: boolean): readonly UpscaleNetwork[] {
  const [upscaler] = upscalersFor(model, isVideo ? 'video' : 'image');
  return upscaler ? [...new Set(planPasses(upscaler, scale).networks)] : [];
}

/** Describes `darkroom on wasm` in words: the provider, the model and its size. */
export function describeEngine(engine: string, scale: Scale): string {
  const [id = '', provider] = engine.split(' on ');
  const upscaler = UPSCALERS.find((each) => each.id === id);
  const networks = upscaler ? planPasses(upscaler, scale).networks : [];
  const size = [...new Set(networks)].reduce((sum, { card }) => sum + (card.bytes ?? 0), 0);
  return [provider, `${getTexts(id).name} ${formatBytes(size)}`].filter(Boolean).join(' · ');
}

/** Describes an enlarged size: `1280 × 853 → 2560 × 1706`. */
export function describeSize({ width, height }: ImageSize, scale: number): string {
  return `${width} × ${height} → ${width * scale} × ${height * scale}`;
}
