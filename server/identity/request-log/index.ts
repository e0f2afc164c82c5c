export {
  getLoggedRequest,
  type LoggedRequestRow,
  listLoggedRequests,
  STATUS_CLASSES,
} from './list-logged-requests.ts';
export { redactJson, redactReceiver, redactTarget, redactText } from './redact-request.ts';
export { type LoggedRequest, openRequestLog, purgeLoggedRequests } from './request-log.ts';
