export { openWeightStore } from './open-weight-store.ts';
export { WeightStore } from './weight-store.ts';
