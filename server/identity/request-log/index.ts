export {
  getLoggedRequest,
  type LoggedRequestRow,
  listLoggedRequests,
  STATUS_CLASSES,
} from './list-logged-requests.ts';
export type { LoggedRequest } from './logged-request.ts';
export { purgeLoggedRequests } from './purge-logged-requests.ts';
export { redactJson, redactTarget, redactText } from './redact-request.ts';
export { openRequestLog } from './request-log.ts';
