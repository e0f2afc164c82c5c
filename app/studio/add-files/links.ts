import { createSemaphore } from '../../../models/core/concurrency.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { callService } from '../failures/server-error.ts';
import { markFetched } from '../files/fetched-files.ts';

interface FetchToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;

let known: FetchToken | undefined;

let asked: Promise<FetchToken> | undefined;

/** Links fetched at the same time. The server allows one address a few more. */
const places = createSemaphore(4);

/** Most links at a time: as many as the server fetches for one address in a row. */
export const LINKS_MAX = 20;

/**
 * Returns the URLs in a text that contains nothing else, one per line: dropped as `text/uri-list` (RFC 2483, without
 * comments) or pasted.
 */
export function parseLinks(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const links = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return links.every((link) => /^https?:\/\/\S+$/i.test(link) && URL.canParse(link)) ? links : [];
}

/**
 * Returns the links that can be fetched at a time.
 * @returns `problem`, a sentence about those beyond; absent when there are none
 */
export function limitLinks(links: readonly string[]): {
  readonly links: readonly string[];
  readonly problem?: string;
} {
  if (links.length <= LINKS_MAX) return { links };
  const problem = `At most ${LINKS_MAX} links can be fetched at a time. Add the others again afterwards.`;
  return { links: links.slice(0, LINKS_MAX), problem };
}

/**
 * Fetches the file behind a link. The page may contact only its own origin, so our server fetches the file and passes
 * it on.
 * @throws OperationError with the server's reason, or `unavailable` when the server cannot be reached; the signal's
 *   reason once aborted
 */
export async function fetchLink(url: string, signal: AbortSignal): Promise<File> {
  const release = await places.acquire(signal);
  try {
    return await fetchNow(url, signal);
  } finally {
    release();
  }
}

async function fetchNow(url: string, signal: AbortSignal): Promise<File> {
  const response = await requestFile(url, await readFetchToken(), signal).catch(async (thrown) => {
    // The token or its cookie may have gone while the page was asleep.
    if (!(thrown instanceof OperationError && thrown.code === 'forbidden')) throw thrown;
    return await requestFile(url, await readFetchToken({ isFresh: true }), signal);
  });
  const type = response.headers.get('content-type') ?? '';
  const file = new File([await response.blob()], nameFor(url, type), { type });
  markFetched(file);
  return file;
}

function requestFile(url: string, token: string, signal: AbortSignal): Promise<Response> {
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-fetch-token': token,
    },
    body: JSON.stringify({ url }),
    signal,
  };
  return callService(() => fetch('/api/fetch', request), signal);
}

/**
 * Names a file after the last part of the URL's path, with an extension: `https://example.com/photos/7?size=large`
 * gives `7.jpeg`.
 */
function nameFor(url: string, type: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? hostname.replaceAll('.', '-');
  const name = decoded(last);
  return /\.\w{2,5}$/.test(name) ? name : `${name}.${type.split('/').pop()}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '-');
  } catch {
    return segment;
  }
}

/**
 * Returns the token that shows our server that a page of ours asks for a link. It works only with the cookie that comes
 * with it.
 * @param isFresh whether a token that is known already does not do
 * @throws OperationError with the server's reason, or `unavailable` when the server cannot be reached
 */
async function readFetchToken({ isFresh = false } = {}): Promise<string> {
  if (known && !isFresh && known.expiresAtMs - MARGIN_MS > Date.now()) return known.token;
  // Shared by all callers: several requests at once would bring several cookies, and a token works with one.
  asked ??= requestToken().finally(() => {
    asked = undefined;
  });
  known = await asked;
  return known.token;
}

async function requestToken(): Promise<FetchToken> {
  const response = await callService(() => fetch('/api/fetch/token', { method: 'POST' }));
  const { token, expires_in_seconds } = (await response.json()) as {
    token: string;
    expires_in_seconds: number;
  };
  return { token, expiresAtMs: Date.now() + expires_in_seconds * 1000 };
}
