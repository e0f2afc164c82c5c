import type { Engine } from '../../core/inference/engine-ladder.ts';
import { progressSpan, type ReportProgress } from '../../core/runtime/progress.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { encodePrompt } from './encode-prompt.ts';
import { PATCHES_ENGINE } from './engines.ts';
import type { FillEstimate } from './fill/estimate-fill.ts';
import { extendFromItself, extendRaster } from './fill/extend-raster.ts';
import type { Extent } from './geometry.ts';
import { GUIDE_NETWORKS, paintGuide } from './guides.ts';
import { paintCanvas } from './paint-canvas.ts';
import { seededRandom } from './seeded-random.ts';
import { findSubjectMask } from './subject-mask.ts';
import { TEXT_MODELS } from './text-models.ts';

/** Canvas of a run, and what to put there. */
export interface Extension {
  /** As large as `extent.kept`. */
  readonly image: Raster;
  readonly extent: Extent;
  readonly prompt: string;
}

/** Extended image. */
export interface Extended {
  /** Whole canvas. */
  readonly raster: Raster;
  /** Expected look of the simple fill; null where a model painted. */
  readonly estimate: FillEstimate | null;
}

/** One result of a run. */
interface Variant {
  readonly seed: number;
  readonly onProgress: ReportProgress;
}

/** Share of a result's time after which its guide is painted, its subject found or its prompt read. */
const PREPARED = 0.15;

/**
 * Returns a function that lists the engines for a result, best first: models that read the prompt, networks that paint
 * a guide for the patches, and the patches alone. What all results share is computed once.
 */
export function createExtenders(
  { image, extent, prompt }: Extension,
  runtime: Pick<Runtime, 'inference' | 'signal'>,
): (variant: Variant) => readonly Engine<Extended>[] {
  const { inference, signal } = runtime;
  const readOnce = once((id: string) => {
    const model = TEXT_MODELS.find((each) => each.id === id) as (typeof TEXT_MODELS)[number];
    return encodePrompt(model, prompt, inference, { signal });
  });
  const guides = new Map<string, ReturnType<typeof paintGuide>>();
  const avoidedOnce = once((_: 'subject') => findSubjectMask(image, runtime));
  return ({ seed, onProgress }) => {
    const random = seededRandom(seed);
    const rest = progressSpan(onProgress, PREPARED, 1);
    const byText = TEXT_MODELS.map((model): Engine<Extended> => {
      const { id, cards } = model;
      return {
        id,
        cards: Object.values(cards),
        isOptIn: true,
        async run() {
          const read = await readOnce(id);
          onProgress({ fraction: PREPARED });
          const painter = { model, prompt: read, inference, random, signal, onProgress: rest };
          const { raster, provider, notices } = await paintCanvas(image, extent, painter);
          return { value: { raster, estimate: null }, provider, notices: [...read.warnings, ...notices] };
        },
      };
    });
    const byGuide = GUIDE_NETWORKS.map((network): Engine<Extended> => {
      const { card } = network;
      return {
        id: card.id,
        card,
        async run(session) {
          const painting = guides.get(card.id) ?? paintGuide(network, session, { image, extent, signal });
          guides.set(card.id, painting);
          const { guide, provider, notices } = await painting;
          onProgress({ fraction: PREPARED });
          const raster = extendRaster(image, extent, { guide, random, signal, onProgress: rest });
          return { value: { raster, estimate: null }, provider, notices };
        },
      };
    });
    const bySelf: Engine<Extended> = {
      id: PATCHES_ENGINE,
      card: null,
      async run() {
        // A network has decided what to show; without one, the subject would be the easiest thing to show again.
        const avoided = await avoidedOnce('subject');
        onProgress({ fraction: PREPARED });
        const options = { avoided, random, signal, onProgress: rest };
        return { value: await extendFromItself(image, extent, options) };
      },
    };
    return [...byText, ...byGuide, bySelf];
  };
}

/** Returns a function that computes the value of a key once. */
function once<Key, Value>(compute: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
