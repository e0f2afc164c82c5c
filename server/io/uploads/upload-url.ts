import { randomBytes } from 'node:crypto';
import type { Context } from '../../base/context.ts';
import { isSameText, signText } from '../../base/secrets/index.ts';

type UrlContext = Pick<Context, 'env' | 'db'>;

const PATH = '/api/uploads/';
const PARTS_PATH = '/api/v2/uploads/';

export function uploadUrl(publicUrl: string, token: string): string {
  return publicUrl + PATH + token;
}

/**
 * Returns the URL that takes the parts of a file: a client that has it may send them. It is signed, since the URL that names
 * the file in a request must not be enough to change it.
 */
export async function partsUrl({ env, db }: UrlContext, token: string): Promise<string> {
  return `${env.PUBLIC_URL}${PARTS_PATH}${token}.${await signText(db, 'upload-urls', token)}`;
}

/**
 * Returns the token of an upload from the last segment of a URL made by {@link partsUrl}; null for any other.
 */
export async function readPartsToken(
  { db }: Pick<UrlContext, 'db'>,
  segment: string,
): Promise<string | null> {
  const [token = '', signature = ''] = segment.split('.', 2);
  return isSameText(signature, await signText(db, 'upload-urls', token)) ? token : null;
}

/** Extracts the token from a URL made by {@link uploadUrl}, whether or not the upload exists; null for other URLs. */
export function readUploadToken(publicUrl: string, url: string): string | null {
  const prefix = publicUrl + PATH;
  return url.startsWith(prefix) ? url.slice(prefix.length) : null;
}

const KEYS = 'inputs/uploads/';

/** Returns the key of the uploaded object. */
export function uploadKey(token: string): string {
  return `${KEYS}${token}/input`;
}

/** Returns the token of the upload that a key belongs to; undefined for any other key. */
export function readUploadKey(key: string): string | undefined {
  return key.startsWith(KEYS) ? key.slice(KEYS.length).split('/', 1)[0] : undefined;
}

/** Returns a new key for a part of an object. */
export function partKey(token: string): string {
  return `inputs/uploads/${token}/part-${randomBytes(16).toString('base64url')}`;
}
