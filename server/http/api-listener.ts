import type { RequestListener } from 'node:http';
import type { Context } from '../context.ts';
import { handleApi } from './api.ts';
import { isReceiptKeysTarget } from './results/list-receipt-keys.ts';
import { MCP_PATH } from './transport/reject-invalid-request.ts';
import { respondInternalError } from './transport/respond-failed.ts';
import { serveRequest } from './transport/serve-request.ts';

/** Paths of `app/api`, which pages alone call: Next serves them, and loads what they need with the first request. */
const PAGES_OWN = /^\/api\/(auth|own|session|trpc)([/?]|$)/;

/** Reports whether a request of this target belongs to the API that programs call. */
export function isApiTarget(target: string): boolean {
  if (target.split('?', 1)[0] === MCP_PATH || isReceiptKeysTarget(target)) return true;
  return target.startsWith('/api/') && !PAGES_OWN.test(target);
}

/** Serves the API straight from Node. */
export function createApiListener(ctx: Context): RequestListener {
  return (incoming, outgoing) => {
    serveRequest(incoming, outgoing, (request) => handleApi(ctx, request)).catch(async (thrown) => {
      if (!outgoing.headersSent && !outgoing.destroyed) {
        return await respondInternalError(thrown, outgoing, ctx.log);
      }
      // The client left, or the source of a stream failed: the broken connection reports it.
      ctx.log.debug({ err: thrown }, 'response not sent whole');
      outgoing.destroy();
    });
  };
}
