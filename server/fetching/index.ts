export { assertReachableUrl } from './assert-reachable-url.ts';
export { download } from './download.ts';
export { postJson } from './post-json.ts';
