export { AcceptanceStore, type StoredAcceptance } from './acceptance-store.ts';
export { createCardMemory } from './card-memory.ts';
export { describeMemoryShortage } from './memory-shortage.ts';
