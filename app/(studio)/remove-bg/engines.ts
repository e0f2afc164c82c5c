import { MATTE_MODELS } from '../../../models/remove-bg/matte-models.ts';
import type { WeightCard } from '../../../models/weights/weight-card.ts';
import type { BatchItem } from '../batch/batch.ts';
import { bytes } from '../text/quantities.ts';

/** Bundled model: no download needed. */
export const BUNDLED_ENGINE = MATTE_MODELS.find(({ card }) => card.url === null)?.card.id;

/** Display names of the models, by the ids of their weights. */
const NAMES: Readonly<Record<string, string>> = {
  matte: 'Darkroom',
  'birefnet-lite-fp16': 'BiRefNet lite',
  'isnet-general-use': 'ISNet',
  u2netp: 'U²-Net small',
  'modnet-fp16': 'MODNet',
  'selfie-segmentation': 'MediaPipe selfie',
};

export interface Engine {
  readonly id: string;
  readonly name: string;
  readonly finds: string;
  readonly card: WeightCard;
}

/** All models: the bundled one first, then the best first. */
export const ENGINES: readonly Engine[] = MATTE_MODELS.map(
  ({ card, finds }): Engine => ({
    id: card.id,
    name: NAMES[card.id] ?? card.id,
    finds,
    card,
  }),
).toSorted((a, b) => Number(b.id === BUNDLED_ENGINE) - Number(a.id === BUNDLED_ENGINE));

/** Best general-purpose model, offered when another one was uncertain. */
export const BEST_ENGINE = ENGINES.find(({ id, finds }) => id !== BUNDLED_ENGINE && finds === 'any subject');

/** Describes a run's engine in words. */
export function runFacts({ state }: BatchItem): readonly string[] {
  if (state.phase !== 'done') return [];
  const { engine, details } = state.result;
  const facts = [engine && engineFact(engine), details && `certainty ${details.matte_quality}`];
  return facts.filter((fact) => typeof fact === 'string');
}

/** Describes `matte on wasm` in words: the model, its size and its execution provider. */
function engineFact(engine: string): string {
  const [id = '', provider] = engine.split(' on ');
  const known = ENGINES.find((each) => each.id === id);
  return [provider, known ? `${known.name} ${bytes(known.card.bytes ?? 0)}` : id].filter(Boolean).join(' · ');
}
