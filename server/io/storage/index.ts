export { openStorage } from './open-storage.ts';
export { resultUrl, resultUrlConfig, verifyResultUrl } from './result-url.ts';
