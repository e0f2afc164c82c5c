export { openStorage } from './open-storage.ts';
export { resultUrl, resultUrlConfig, verifyResultUrl } from './result-url.ts';
export type { ByteRange, Storage } from '../../base/context/storage.ts';
