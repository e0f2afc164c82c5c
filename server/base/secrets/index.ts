export {
  countSeals,
  listMissingKeys,
  listUsedKeys,
  resealStoredSecrets,
  sealOnceKeysAreKnown,
  sealStoredSecrets,
} from './seal-stored.ts';
export { getKeyId } from './sealing.ts';
export { getServiceSecret, isSameText, signText } from './service-secret.ts';
export { decodeStoredSecret, encodeStoredSecret, receiptPurpose, webhookPurpose } from './stored-secret.ts';
