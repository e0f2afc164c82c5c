import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';

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

interface TimesSchema extends DBSchema {
  times: { key: string; value: Kept };
}

// Times before our convolutions, in `darkroom-provider-times`, count no more.
const NAME = 'darkroom-provider-times-2';
const STORE = 'times';
/** Browsers and drivers become faster: a month later, it is measured again. */
const LASTING_MS = 30 * 24 * 3_600_000;

let opened: Promise<IDBPDatabase<TimesSchema>> | undefined;

function open(): Promise<IDBPDatabase<TimesSchema>> {
  opened ??= openDB<TimesSchema>(NAME, 1, {
    upgrade: (database) => void database.createObjectStore(STORE),
  });
  return opened;
}

/** Times in the browser's database. A browser that stores nothing knows none. */
export const storedProviderTimes: ProviderTimesStore = {
  async find({ sha256 }) {
    const kept = await open().then(
      (database) => database.get(STORE, sha256),
      () => undefined,
    );
    return kept && Date.now() - kept.measuredAtMs < LASTING_MS ? kept : null;
  },
  async keep({ sha256 }, times) {
    await open().then(
      (database) => database.put(STORE, { ...times, measuredAtMs: Date.now() }, sha256),
      () => undefined,
    );
  },
};
