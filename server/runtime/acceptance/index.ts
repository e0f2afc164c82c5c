export { AcceptanceStore, type ModelMemory, type StoredAcceptance } from './acceptance-store.ts';
export { type CardMemory, createCardMemory } from './card-memory.ts';
export { describeMemoryShortage } from './memory-shortage.ts';
