export { RETRY_AFTER_REFUSAL_MS } from './download-refusal.ts';
export { listWeights } from './list-weights.ts';
export { openWeightStore } from './open-weight-store.ts';
export { WeightStore } from './weight-store.ts';
