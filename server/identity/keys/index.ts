export { assertKeyBudget, refundSpending, reserveSpending } from '../../money/spending/index.ts';
export { type Actor, assertPermission, authenticateKey } from './authenticate-key.ts';
export { revokeAllKeys, revokeKey, rotateKey, setKeyCap, setKeyExpiry } from './change-key.ts';
export { issueKey } from './issue-key.ts';
export { type KeySummary, listKeys } from './list-keys.ts';
