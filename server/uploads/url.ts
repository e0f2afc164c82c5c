import { randomBytes } from 'node:crypto';

const PATH = '/api/uploads/';
const PARTS_PATH = '/api/v2/uploads/';

export function uploadUrl(publicUrl: string, token: string): string {
  return publicUrl + PATH + token;
}

/** Returns the URL that takes the parts of a file: whoever has it may send them. */
export function partsUrl(publicUrl: string, token: string): string {
  return publicUrl + PARTS_PATH + token;
}

/** Extracts the token from a URL made by {@link uploadUrl}, whether or not the upload exists; null for other URLs. */
export function uploadTokenOf(publicUrl: string, url: string): string | null {
  const prefix = publicUrl + PATH;
  return url.startsWith(prefix) ? url.slice(prefix.length) : null;
}

/** Returns the key of the uploaded object, which it keeps as a job's input. */
export function uploadKey(token: string): string {
  return `inputs/uploads/${token}/input`;
}

/** Returns a new key for a part of an object. */
export function partKey(token: string): string {
  return `inputs/uploads/${token}/part-${randomBytes(16).toString('base64url')}`;
}
