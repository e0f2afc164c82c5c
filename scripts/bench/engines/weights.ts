import { SPLEETER_ENGINE } from '../../../models/audio-separate-stems/engines.ts';
import { SPLEETER_CARDS } from '../../../models/audio-separate-stems/spleeter-masker.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';
import type { NodeInferenceOptions } from '../../../server/runtime/inference/node-inference.ts';
import type { WeightStore } from '../../../server/runtime/weight-store/index.ts';
import { encodeRandomUNet } from './spleeter-stand-in.ts';

/** Filters of Spleeter's first convolution. */
const FILTERS = 16;

/** Reports whether an engine runs without its files. */
export function hasStandIn(engine: string): boolean {
  return engine === SPLEETER_ENGINE;
}

/** Returns weights that are here, and random ones in place of Spleeter's where those are not. */
export function withStandIns(store: WeightStore): NodeInferenceOptions['weights'] {
  const seedOf = (card: WeightCard) => SPLEETER_CARDS.findIndex(({ id }) => id === card.id) + 1;
  return {
    has: async (card) => seedOf(card) > 0 || (await store.has(card)),
    mayFetch: (card) => store.mayFetch(card),
    read: async (card, options) =>
      seedOf(card) > 0 && !(await store.has(card))
        ? encodeRandomUNet(seedOf(card), FILTERS)
        : await store.read(card, options),
  };
}
