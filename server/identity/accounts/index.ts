export {
  findAccount,
  findSandbox,
  findSandboxOwner,
  openAccount,
  openSandbox,
  renameAccount,
  rotateWebhookSecret,
} from './accounts.ts';
export { listAuditActors, listAuditEvents, purgeAuditEvents, recordAuditEvent } from './audit-events.ts';
export { listCharges } from './list-charges.ts';
