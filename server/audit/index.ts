export { listDeeds } from './list.ts';
export { purgeDeeds } from './purge.ts';
export { recordDeed } from './record.ts';
