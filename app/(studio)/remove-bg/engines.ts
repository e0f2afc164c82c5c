import { MATTE_NETWORKS } from '../../../models/remove-bg/networks.ts';
import type { WeightCard } from '../../../models/weights/weight-card.ts';
import type { BatchItem } from '../frame/batch.ts';
import { bytes } from '../quantities.ts';

/** The network that comes with the page: nothing has to be downloaded from elsewhere for it. */
export const OWN_ENGINE = MATTE_NETWORKS.find(({ card }) => card.url === null)?.card.id;

/** What people call the networks, by the ids of their weights. */
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

/** All networks, the one that is here first, then the best first. */
export const ENGINES: readonly Engine[] = MATTE_NETWORKS.map(
  ({ card, finds }): Engine => ({
    id: card.id,
    name: NAMES[card.id] ?? card.id,
    finds,
    card,
  }),
).toSorted((a, b) => Number(b.id === OWN_ENGINE) - Number(a.id === OWN_ENGINE));

/** The best network there is for any subject, to be offered when another one was not sure. */
export const BEST_ENGINE = ENGINES.find(({ id, finds }) => id !== OWN_ENGINE && finds === 'any subject');

/** What a run tells of itself, in words. */
export function runFacts({ state }: BatchItem): readonly string[] {
  if (state.phase !== 'done') return [];
  const { engine, details } = state.result;
  const facts = [engine && engineFact(engine), details && `certainty ${details.matte_quality}`];
  return facts.filter((fact) => typeof fact === 'string');
}

/** `matte on wasm` in words: which network, how large, and on what it ran. */
function engineFact(engine: string): string {
  const [id = '', provider] = engine.split(' on ');
  const known = ENGINES.find((each) => each.id === id);
  return [provider, known ? `${known.name} ${bytes(known.card.bytes ?? 0)}` : id].filter(Boolean).join(' · ');
}
