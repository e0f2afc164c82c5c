import { createHash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 'mk_'.length + 8;

/** Creates an API key: `mk_`, 8 characters that may be shown for life, and 256 random bits that are shown once. */
export function createApiKey(): string {
  return `mk_${randomBytes(4).toString('hex')}${randomBytes(32).toString('base64url')}`;
}

export function keyPrefix(apiKey: string): string {
  return apiKey.slice(0, PREFIX_LENGTH);
}

/** Hashes a key for storage. No salt or stretching: it is 256 random bits, not a password. */
export function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}
