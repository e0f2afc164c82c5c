import { FetchFault } from './fetch-fault.ts';

/**
 * Parses a URL from a user or a redirect.
 * @throws FetchFault when it is not http(s), or contains a user name or password
 */
export function parseHttpUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new FetchFault('must be a valid http:// or https:// URL');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchFault('must be an http:// or https:// URL');
  }
  if (url.username || url.password) {
    throw new FetchFault('must not contain a user name or password. Use a pre-signed URL instead');
  }
  return url;
}
