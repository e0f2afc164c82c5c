import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../base/context/context.ts';
import { resolveOwnUrl } from '../../identity/auth/index.ts';

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
