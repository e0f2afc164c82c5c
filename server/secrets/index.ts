export { sealStoredSecrets } from './seal-stored.ts';
export { serviceSecret } from './service-secret.ts';
export { fromStored, toStored, webhookPurpose } from './stored-secret.ts';
