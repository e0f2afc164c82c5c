import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { SPLEETER_ENGINE } from '../../../models/operations/stems/engines.ts';
import { SPLEETER_CARDS } from '../../../models/operations/stems/spleeter-masker.ts';
import type { NodeInferenceOptions } from '../../../server/runtime/inference/node-inference.ts';
import type { WeightStore } from '../../../server/runtime/weight-store/index.ts';
import { SHARED } from '../../support/shared-folder.ts';
import { encodeRandomUNet } from './spleeter-stand-in.ts';

/** Filters of Spleeter's first convolution. */
const FILTERS = 16;

/** U-2-Net-p, converted from its published weights: its hash is not that of the catalogue. */
const CONVERTED = { id: 'u2netp', path: join(SHARED, 'models/standins/u2netp.converted.onnx') };

/** Reports whether an engine runs without its files. */
export function hasStandIn(engine: string): boolean {
  return engine === SPLEETER_ENGINE || (engine === CONVERTED.id && existsSync(CONVERTED.path));
}

/** Returns weights that are here, and in place of others converted ones, or random ones for Spleeter. */
export function withStandIns(store: WeightStore): NodeInferenceOptions['weights'] {
  const hasOther = (card: WeightCard) =>
    seedOf(card) > 0 || (card.id === CONVERTED.id && hasStandIn(card.id));
  return {
    has: async (card) => hasOther(card) || (await store.has(card)),
    mayFetch: (card) => store.mayFetch(card),
    read: async (card, options) =>
      hasOther(card) && !(await store.has(card)) ? await readOther(card) : await store.read(card, options),
  };
}

async function readOther(card: WeightCard): Promise<Uint8Array<ArrayBuffer>> {
  return card.id === CONVERTED.id
    ? new Uint8Array(await readFile(CONVERTED.path))
    : encodeRandomUNet(seedOf(card), FILTERS);
}

/** Returns the seed of the random weights of one of Spleeter's networks; 0 for other files. */
function seedOf(card: WeightCard): number {
  return SPLEETER_CARDS.findIndex(({ id }) => id === card.id) + 1;
}
