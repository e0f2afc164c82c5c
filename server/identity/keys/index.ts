export { type Actor, assertPermission, authenticateKey } from './authenticate-key.ts';
export {
  countKeysOf,
  revokeAllKeys,
  revokeKey,
  revokeKeysOf,
  setKeyCap,
  setKeyExpiry,
} from './change-key.ts';
export { issueKey, type NewKey } from './issue-key.ts';
export { type KeySummary, listKeys } from './list-keys.ts';
export { rotateKey } from './rotate-key.ts';
export { createToken, deleteToken, listTokens, purgeTokens, TOKEN_SECONDS } from './tokens.ts';
