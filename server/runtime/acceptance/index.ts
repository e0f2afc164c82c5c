export {
  AcceptanceStore,
  createCardMemory,
  describeMemoryShortage,
  type StoredAcceptance,
} from './acceptance-store.ts';
