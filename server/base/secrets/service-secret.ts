import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Executor, schema } from '../database/db.ts';
import { decodeStoredSecret, encodeStoredSecret, servicePurpose } from './stored-secret.ts';

const { serviceSecrets } = schema;
const SECRET_BYTES = 32;

/**
 * Purposes of the service's own secrets: sessions, tokens of its pages, signed URLs, recipients of free credit, and
 * agents.
 */
export const SERVICE_SECRETS = [
  'sessions',
  'fetch-tokens',
  'result-urls',
  'upload-urls',
  'free-credit',
  'spending-sessions',
] as const;
export type ServiceSecret = (typeof SERVICE_SECRETS)[number];

/**
 * Returns a secret of the service: made on first use, then the same for all processes and for ever.
 * @throws Error when no key of SECRETS_KEY opens it
 */
export async function getServiceSecret(db: Executor, name: ServiceSecret): Promise<Buffer> {
  const find = () =>
    db.select({ secret: serviceSecrets.secret }).from(serviceSecrets).where(eq(serviceSecrets.name, name));
  const purpose = servicePurpose(name);
  const [known] = await find();
  if (known) return decodeStoredSecret(known.secret, purpose);
  await db
    .insert(serviceSecrets)
    .values({ name, secret: encodeStoredSecret(randomBytes(SECRET_BYTES), purpose) })
    .onConflictDoNothing();
  const [made] = await find();
  if (!made) throw new Error(`the secret ${name} was not stored`);
  return decodeStoredSecret(made.secret, purpose);
}

/** Signs a text by a secret of the service: HMAC of SHA-256, in base64url. */
export async function signText(db: Executor, name: ServiceSecret, text: string): Promise<string> {
  const secret = await getServiceSecret(db, name);
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Compares texts in constant time, so that nothing can be guessed letter by letter. */
export function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
