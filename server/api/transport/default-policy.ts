import type { ServerResponse } from 'node:http';

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
