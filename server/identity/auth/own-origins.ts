import type { Env } from '../../base/env.ts';
import { isLoopback } from '../../base/is-local.ts';

/** Returns the origins of our own pages: PUBLIC_URL's, and for a local install both names of this machine. */
export function listOwnOrigins({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): string[] {
  const { origin, protocol, hostname, port } = new URL(PUBLIC_URL);
  if (!isLoopback(hostname)) return [origin];
  const suffix = port === '' ? '' : `:${port}`;
  return ['localhost', '127.0.0.1'].map((name) => `${protocol}//${name}${suffix}`);
}

/**
 * Resolves a URL or path as a browser on one of our pages does, which takes a backslash for a slash and removes dots.
 * @returns undefined when it leads to another origin, also once its path is taken for a URL
 */
export function resolveOwnUrl(text: string, env: Pick<Env, 'PUBLIC_URL'>): URL | undefined {
  if (!URL.canParse(text, env.PUBLIC_URL)) return undefined;
  const url = new URL(text, env.PUBLIC_URL);
  return listOwnOrigins(env).includes(url.origin) && !url.pathname.startsWith('//') ? url : undefined;
}

/** Returns the name that passkeys belong to: PUBLIC_URL's, and for a local install one that is no IP address. */
export function passkeyDomain({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): string {
  const { hostname } = new URL(PUBLIC_URL);
  return isLoopback(hostname) ? 'localhost' : hostname;
}

/**
 * Reports whether a request that carries a session comes from one of our pages. Browsers state this, and no script of
 * another site can forge it. Where a browser states nothing, only a read passes: another site can't see the response.
 * Another name that leads to this machine is not ours, even where the browser takes both for the same origin.
 */
export function isFromOwnPage(
  { headers, method }: Pick<Request, 'headers' | 'method'>,
  env: Pick<Env, 'PUBLIC_URL'>,
): boolean {
  const origin = headers.get('origin');
  if (origin !== null && !listOwnOrigins(env).includes(origin)) return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  return origin !== null || method === 'GET' || method === 'HEAD';
}
