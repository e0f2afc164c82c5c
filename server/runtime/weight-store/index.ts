export { openWeightStore } from './open-weight-store.ts';
export { REFUSED_MS } from './refusal.ts';
export { WeightStore } from './weight-store.ts';
