export { assertReachableUrl } from './assert-reachable-url.ts';
export { type Downloaded, download } from './download.ts';
export { postJson } from './post-json.ts';
