export { addressRules } from './address-rules.ts';
export { assertReachableUrl } from './assert-reachable-url.ts';
export { download } from './download.ts';
export { openUrl } from './open-url.ts';
export { postJson } from './post-json.ts';
export { putFile } from './put-file.ts';
