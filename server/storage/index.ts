export type { ByteRange, Storage, StoredObject } from './storage.ts';
