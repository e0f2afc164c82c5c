export { AcceptanceStore, type StoredAcceptance } from './acceptance-store.ts';
export { describeMemoryShortage } from './memory-shortage.ts';
