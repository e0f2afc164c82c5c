import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { keepByKey } from '../browser-store.ts';

/** Times of one run of a model on this device, in milliseconds. */
export interface ProviderTimes {
  readonly gpuMs: number;
  readonly wasmMs: number;
}

/** Keeps the times of models by their weights. Neither function rejects. */
export interface ProviderTimesStore {
  find(card: WeightCard): Promise<ProviderTimes | null>;
  keep(card: WeightCard, times: ProviderTimes): Promise<void>;
}

interface Kept extends ProviderTimes {
  /** By `Date.now()`. */
  readonly measuredAtMs: number;
}

// Times before our convolutions, in `darkroom-provider-times`, count no more.
const times = keepByKey<Kept>('darkroom-provider-times-2', 'times');
/** Browsers and drivers become faster: a month later, it is measured again. */
const LASTING_MS = 30 * 24 * 3_600_000;

/** Times in the browser's database. A browser that stores nothing knows none. */
export const storedProviderTimes: ProviderTimesStore = {
  async find({ sha256 }) {
    const kept = await times.read(sha256);
    return kept && Date.now() - kept.measuredAtMs < LASTING_MS ? kept : null;
  },
  keep: ({ sha256 }, measured) => times.write(sha256, { ...measured, measuredAtMs: Date.now() }),
};
