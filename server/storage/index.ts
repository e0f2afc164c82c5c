export { openStorage } from './open-storage.ts';
export { resultUrl, resultUrlConfig, verifyResultUrl } from './result-url.ts';
export type { ByteRange, Storage } from './storage.ts';
