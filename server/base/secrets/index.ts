export { sealStoredSecrets } from './seal-stored.ts';
export { getServiceSecret } from './service-secret.ts';
export { decodeStoredSecret, encodeStoredSecret, receiptPurpose, webhookPurpose } from './stored-secret.ts';
