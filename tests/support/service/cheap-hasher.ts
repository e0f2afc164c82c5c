import { createHash } from 'node:crypto';
import type { PasswordHasher } from '../../../server/base/password-hasher.ts';

/** Looks like a hash of scrypt: 32 hexadecimal digits of salt, a colon and 128 digits of key. */
const hash = (password: string): string =>
  `${'0'.repeat(32)}:${createHash('sha512').update(password).digest('hex')}`;

/** Hashes passwords at once: scrypt would take a tenth of a second for each sign-in of a test. */
export const CHEAP_HASHER: PasswordHasher = {
  hash: async (password) => hash(password),
  verify: async (stored) => stored.hash === hash(stored.password),
};
