export { findAccount } from './find-account.ts';
export { openAccount } from './open-account.ts';
export { renameAccount } from './rename-account.ts';
export { rotateWebhookSecret } from './rotate-webhook-secret.ts';
export { findSandbox, findSandboxOwner, openSandbox } from './sandbox.ts';
