import { sha256 } from '../../../models/media/bytes/sha256.ts';

/** Computes SHA-256 in hex, by the browser itself where available: on HTTPS and localhost pages. */
export async function getSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const native: SubtleCrypto | undefined = crypto.subtle;
  if (!native) return sha256(bytes);
  const digest = new Uint8Array(await native.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
