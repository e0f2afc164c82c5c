export { addressRules } from './address-rules.ts';
export { assertReachableUrl, download, openUrl, RetryWindow } from './open-url.ts';
export { postJson, putFile } from './send-request.ts';
