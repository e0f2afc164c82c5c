import type { RequestListener } from 'node:http';
import type { Context } from '../base/context/context.ts';
import { handleApi } from './api.ts';
import { isReceiptKeysTarget } from './routes/list-receipt-keys.ts';
import { isProgramsPath, MCP_PATH } from './transport/api-target.ts';
import { respondInternalError } from './transport/respond-failed.ts';
import { serveRequest } from './transport/serve-request.ts';

/** Reports whether a request of this target belongs to the API that programs call. */
export function isApiTarget(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return path === MCP_PATH || isReceiptKeysTarget(target) || isProgramsPath(path);
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
