export { openStorage } from './open-storage.ts';
export type { ByteRange, Storage, StoredObject } from './storage.ts';
