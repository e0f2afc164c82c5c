import { callService } from './service-call.ts';

/** Files that came from a link, so that a page can say so. */
const fetched = new WeakSet<File>();

export const wasFetched = (file: File): boolean => fetched.has(file);

/**
 * The addresses in a text that holds nothing else, one a line: what is dropped as `text/uri-list` (RFC 2483, comments
 * left out) or pasted.
 */
export function linksIn(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const links = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return links.every((link) => /^https?:\/\/\S+$/i.test(link) && URL.canParse(link)) ? links : [];
}

/**
 * The file at a link. This page may talk to its own origin only, so our server fetches it and passes it on.
 * @throws OperationError with the server's reason, or `unavailable` when it is not reached; the signal's reason once aborted
 */
export async function fetchLink(url: string, signal: AbortSignal): Promise<File> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    signal,
  };
  const response = await callService(() => fetch('/api/fetch', request), signal, { attemptsMax: 1 });
  const type = response.headers.get('content-type') ?? '';
  const file = new File([await response.blob()], nameFor(url, type), { type });
  fetched.add(file);
  return file;
}

/** The last part of the path, with an extension: `https://example.com/photos/7?size=large` gives `7.jpeg`. */
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
