import { readSecretsKeys } from '../env.ts';
import { seal, unseal } from './sealing.ts';

/** Returns a secret as the database stores it: encrypted where SECRETS_KEY is set. */
export function encodeStoredSecret(secret: Buffer, purpose: string): Buffer {
  return seal(readSecretsKeys(), secret, purpose);
}

/** Returns a secret that the database stores. @throws Error when no key of SECRETS_KEY opens it */
export function decodeStoredSecret(stored: Buffer, purpose: string): Buffer {
  return unseal(readSecretsKeys(), stored, purpose);
}

/** Returns the purpose of the secret that signs an account's webhooks. */
export const webhookPurpose = (accountId: string): string => `webhooks of ${accountId}`;

/** Returns the purpose of the secret of a key that signs receipts. */
export const receiptPurpose = (kid: string): string => `receipts: ${kid}`;

/** Returns the purpose of a secret of the service. */
export const servicePurpose = (name: string): string => `service: ${name}`;
