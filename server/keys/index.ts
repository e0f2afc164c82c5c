export { type Actor, authenticate } from './authenticate.ts';
export { authorise } from './authorise.ts';
export { capKey, expireKey, revokeKey } from './change.ts';
export { issueKey } from './issue.ts';
export { type KeySummary, listKeys } from './list.ts';
export { rotateKey } from './rotate.ts';
export { assertSpendable, refundSpending, reserveSpending } from './spending.ts';
