export { listAuditActors, listAuditEvents } from './list-audit-events.ts';
export { purgeAuditEvents } from './purge-audit-events.ts';
export { recordAuditEvent } from './record-audit-event.ts';
