export { listWeights, openWeightStore } from './list-weights.ts';
export { RETRY_AFTER_REFUSAL_MS } from './weight-files.ts';
export { type FetchOptions, WeightStore, type WeightStoreOptions } from './weight-store.ts';
