export { AcceptanceStore, type StoredAcceptance } from './acceptance-store.ts';
