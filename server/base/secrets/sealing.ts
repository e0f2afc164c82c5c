import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];
/** Prefix of every sealed secret. */
export const SEAL_PREFIX = 'sealed:v1:';
/** Code of the error for a secret that no given key opens, by which it is found to be an outage. */
const UNKNOWN_KEY = 'UNKNOWN_SECRETS_KEY';
const ID_LENGTH = 8;
/** Length of the start of a sealed secret that names its key. */
export const SEAL_MARK_LENGTH = SEAL_PREFIX.length + ID_LENGTH;

/** Returns the id of a key. It distinguishes keys, and reveals nothing of the key. */
export function getKeyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, ID_LENGTH);
}

/** Returns the prefix of secrets that a key has sealed. */
export function keySealPrefix(key: Buffer): string {
  return `${SEAL_PREFIX}${getKeyId(key)}:`;
}

/** Returns the id of the key that has sealed a secret; null for one that is stored as it is. */
export function readKeyId(stored: Buffer): string | null {
  return isSealed(stored) ? stored.subarray(SEAL_PREFIX.length, SEAL_MARK_LENGTH).toString() : null;
}

export function isSealed(stored: Buffer): boolean {
  return stored.subarray(0, SEAL_PREFIX.length).equals(Buffer.from(SEAL_PREFIX));
}

/**
 * Encrypts a secret by AES-256-GCM (NIST SP 800-38D), with a random nonce.
 * @param keys of 32 bytes; the first one seals. Without a key the secret stays as it is
 * @param purpose what the secret is for: it opens for the same purpose only, and so not in the place of another
 * @returns ASCII text: the mark, then nonce, ciphertext and tag in base64
 */
export function seal(keys: readonly Buffer[], secret: Buffer, purpose: string): Buffer {
  const [key] = keys;
  if (!key) return secret;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
  const text = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return Buffer.from(keySealPrefix(key) + text.toString('base64'));
}

/**
 * Decrypts what {@link seal} has made. What was stored before there was a key is returned as it is.
 * @param keys any of which may have sealed it
 * @throws Error with the code of an outage when none of the keys has; any other when it was changed or sealed for another purpose
 */
export function unseal(keys: readonly Buffer[], stored: Buffer, purpose: string): Buffer {
  if (!isSealed(stored)) return stored;
  const mark = stored.subarray(0, SEAL_MARK_LENGTH + 1).toString();
  const key = keys.find((each) => keySealPrefix(each) === mark);
  if (!key) {
    const given = keys.length === 0 ? 'is not set' : 'does not contain it';
    const error = new Error(
      `SECRETS_KEY: ${given}, but the secret "${purpose}" was encrypted with the key ${mark.slice(SEAL_PREFIX.length, -1)}. Start with that key: npm start keeps its own in DATA_DIR/secrets.key.`,
    );
    throw Object.assign(error, { code: UNKNOWN_KEY });
  }
  const text = Buffer.from(stored.subarray(mark.length).toString(), 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, key, text.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(text.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(text.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new Error(`The secret "${purpose}" in the database is damaged, or belongs to another one.`, {
      cause,
    });
  }
}
