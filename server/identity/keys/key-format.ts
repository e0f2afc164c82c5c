import { createHash, randomBytes } from 'node:crypto';

const LIVE = 'mk_';
const TEST = 'mk_test_';
const TOKEN = 'mk_tok_';
/** Characters after the prefix that may be shown for life. */
const SHOWN_CHARACTERS = 8;

/**
 * Creates an API key: `mk_` or, for tests, `mk_test_`, 8 characters that may be shown for life, and 256 random bits
 * that are shown once.
 */
export function createApiKey(isTest: boolean): string {
  return `${isTest ? TEST : LIVE}${randomBytes(4).toString('hex')}${randomBytes(32).toString('base64url')}`;
}

/** Creates a token of a key: 256 random bits. */
export function createTokenText(): string {
  return TOKEN + randomBytes(4).toString('hex') + randomBytes(32).toString('base64url');
}

/** Reports whether a text has the form of a token, not of a key. */
export function isToken(text: string): boolean {
  return text.startsWith(TOKEN);
}

export function keyPrefix(apiKey: string): string {
  const { length } = apiKey.startsWith(TEST) ? TEST : LIVE;
  return apiKey.slice(0, length + SHOWN_CHARACTERS);
}

/** Hashes a key for storage. No salt or stretching: it is 256 random bits, not a password. */
export function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}
