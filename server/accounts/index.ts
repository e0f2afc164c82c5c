export { findAccount } from './find.ts';
export { isKeptOpen, keepOpen } from './keep-open.ts';
export { openAccount } from './open.ts';
export { renameAccount } from './rename.ts';
export { rotateWebhookSecret } from './rotate-webhook-secret.ts';
export { webhookSecrets } from './webhook-secrets.ts';
