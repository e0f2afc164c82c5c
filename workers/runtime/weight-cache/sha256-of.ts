import { sha256 } from '../../../models/kernels/sha256.ts';

/** SHA-256 in hex, by the browser itself where it offers that: on pages from HTTPS or from this machine. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const native: SubtleCrypto | undefined = crypto.subtle;
  if (!native) return sha256(bytes);
  const digest = new Uint8Array(await native.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
