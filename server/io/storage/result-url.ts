import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../base/database/db.ts';
import type { Env } from '../../base/env.ts';
import { getServiceSecret } from '../../base/secrets/index.ts';

export interface ResultUrlConfig {
  readonly publicUrl: string;
  /** CDN in front of the bucket; null when our own `/cdn` serves results. */
  readonly cdnUrl: string | null;
  readonly secret: Buffer;
}

/** Data that a file's URL is built from. Its expiry is stored, so the same file always has the same URL. */
export interface ResultFile {
  readonly key: string;
  readonly expiresAt: Date;
}

const PREFIX = 'outputs/';

// Read once per process: it never changes. A failure is dropped, so that the next call retries.
const secrets = new WeakMap<Db, Promise<Buffer>>();

function urlSecret(db: Db): Promise<Buffer> {
  const known = secrets.get(db);
  if (known) return known;
  const asked = getServiceSecret(db, 'result-urls');
  secrets.set(db, asked);
  asked.catch(() => secrets.delete(db));
  return asked;
}

/** Returns the configuration that builds and verifies URLs, the same in every process of the service. */
export async function resultUrlConfig({ env, db }: { env: Env; db: Db }): Promise<ResultUrlConfig> {
  const cdnUrl = (env.S3_BUCKET && env.CDN_URL) || null;
  return { publicUrl: env.PUBLIC_URL, cdnUrl, secret: await urlSecret(db) };
}

/**
 * Builds the download URL of a result. On our own `/cdn` the URL is signed and expires with the file; on a CDN the
 * key itself is the secret: it contains 128 random bits.
 */
export function resultUrl(config: ResultUrlConfig, { key, expiresAt }: ResultFile): string {
  const path = (from: string) => from.split('/').map(encodeURIComponent).join('/');
  if (config.cdnUrl) return `${config.cdnUrl}/${path(key)}`;
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = sign(config.secret, key, expires).toString('base64url');
  return `${config.publicUrl}/cdn/${path(key.slice(PREFIX.length))}?expires=${expires}&signature=${signature}`;
}

/**
 * Verifies a URL made by {@link resultUrl}. The signature is compared in constant time.
 * @returns the key, or `expired` for a URL that was valid once, or `invalid`
 */
export function verifyResultUrl(
  config: ResultUrlConfig,
  url: URL,
  now = new Date(),
): { key: string } | 'expired' | 'invalid' {
  const key = readKey(url.pathname);
  const expires = Number(url.searchParams.get('expires'));
  const given = Buffer.from(url.searchParams.get('signature') ?? '', 'base64url');
  if (key === null || !Number.isSafeInteger(expires)) return 'invalid';
  const expected = sign(config.secret, key, expires);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid';
  return expires * 1000 > now.getTime() ? { key } : 'expired';
}

function readKey(pathname: string): string | null {
  const [, path] = /^\/cdn\/(.+)$/.exec(pathname) ?? [];
  try {
    return path ? PREFIX + decodeURIComponent(path) : null;
  } catch {
    return null;
  }
}

function sign(secret: Buffer, key: string, expires: number): Buffer {
  return createHmac('sha256', secret).update(`${key}\n${expires}`).digest();
}
