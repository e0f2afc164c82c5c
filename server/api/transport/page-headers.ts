import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../base/context.ts';
import { resolveOwnUrl } from '../../identity/auth/index.ts';

/** Policy of a page that sets none: it can run, load and send nothing, and no page can frame it. */
export const DEFAULT_POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const POLICY = 'content-security-policy';

/**
 * Gives every HTML response that carries no page policy, which has a nonce, the one that denies everything. Next also
 * renders its shell at paths that lead nowhere: without a policy, any script on it could read the visitor's API key.
 */
export function applyDefaultPolicy(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  const guarded = (...given: Parameters<typeof writeHead>): ServerResponse => {
    const isPage = /html/i.test(String(response.getHeader('content-type') ?? ''));
    const isGuarded = String(response.getHeader(POLICY) ?? '').includes(`'nonce-`);
    if (isPage && !isGuarded) response.setHeader(POLICY, DEFAULT_POLICY);
    return writeHead(...given);
  };
  response.writeHead = guarded as typeof response.writeHead;
}

/**
 * Removes a `Location` that leads to another site from a response, whatever has set it: nothing of ours sends visitors
 * elsewhere. The name by which the request came counts as ours as well.
 */
export function keepLocationOwn(
  request: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
  { env, log }: Pick<Context, 'env' | 'log'>,
): void {
  const writeHead = response.writeHead.bind(response);
  const guarded = (...given: Parameters<typeof writeHead>): ServerResponse => {
    const location = response.getHeader('location');
    if (location !== undefined && !isOwn(String(location))) {
      response.removeHeader('location');
      log.warn({ location }, 'a redirect to another site was removed');
    }
    return writeHead(...given);
  };
  response.writeHead = guarded as typeof response.writeHead;

  function isOwn(location: string): boolean {
    const { protocol } = new URL(env.PUBLIC_URL);
    const host = `${protocol}//${request.headers.host}`;
    const known = [env.PUBLIC_URL, ...(URL.canParse(host) ? [host] : [])];
    return known.some((PUBLIC_URL) => resolveOwnUrl(location, { PUBLIC_URL }) !== undefined);
  }
}
