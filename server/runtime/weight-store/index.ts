export { type StoredWeights, WeightStore } from './weight-store.ts';
