export { type Actor, authenticate } from './authenticate.ts';
export { authorise } from './authorise.ts';
export { issueKey } from './issue.ts';
export { type KeySummary, listKeys } from './list.ts';
export { capKey, expireKey } from './restrict.ts';
export { revokeKey } from './revoke.ts';
export { assertSpendable, refundSpending, reserveSpending } from './spending.ts';
