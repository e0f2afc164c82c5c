export { findAccount } from './find.ts';
export { openAccount } from './open.ts';
export { renameAccount } from './rename.ts';
export { webhookSecrets } from './webhook-secrets.ts';
