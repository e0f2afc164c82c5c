export { type Actor, authenticate } from './authenticate.ts';
export { authorise } from './authorise.ts';
export { issueKey } from './issue.ts';
export { revokeKey } from './revoke.ts';
export { refundSpending, reserveSpending } from './spending.ts';
