import type { Source } from '../../../models/core/inference/weight-source.ts';
import { isRelayed, type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { BUNDLED_WEIGHTS } from '../bundled-weights.ts';
import { fetchSource } from './fetch-source.ts';
import { openWeightFolder } from './weight-folder.ts';
import { WebWeightStore } from './weight-store.ts';

let opened: Promise<WebWeightStore> | undefined;

/** Opens the weight store of this browser, once per worker. */
export function openWeightStore(): Promise<WebWeightStore> {
  opened ??= openWeightFolder().then((folder) => new WebWeightStore({ folder, getSources }));
  return opened;
}

/** Lists the sources: of a large file the publisher where it allows browsers, then our own server's relay. */
function getSources(card: WeightCard): Source[] {
  if (card.url === null) {
    const asset = BUNDLED_WEIGHTS[weightFileName(card)];
    return asset ? [fetchSource('this site', asset.url, 'default')] : [];
  }
  const relay = fetchSource(
    'this site',
    new URL(`/api/weights/${card.sha256}`, location.origin).href,
    'no-store',
  );
  return isRelayed(card) ? [relay] : [fetchSource(new URL(card.url).host, card.url, 'no-store'), relay];
}
