import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** Turns passwords into what is stored of them. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

/** Hashes by scrypt, which costs a tenth of a second of processor time and 32 MB, so that guessing is slow. */
export const SCRYPT: PasswordHasher = { hash: hashPassword, verify: verifyPassword };
