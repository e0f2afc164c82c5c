export { AcceptanceStore, describeMemoryShortage, type StoredAcceptance } from './acceptance-store.ts';
export { createCardMemory } from './card-memory.ts';
