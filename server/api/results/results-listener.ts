import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from '../../base/context/context.ts';
import { rejectInvalidRequest } from '../transport/reject-invalid-request.ts';
import { serveRequest } from '../transport/serve-request.ts';
import { serveResult } from './serve-result.ts';

/**
 * Serves `/cdn/...` straight from Node: a Next route loses the Content-Length, without which no client can show
 * progress or seek in a video.
 */
export function createResultsListener(ctx: Context): RequestListener {
  return (incoming, outgoing) => {
    // A Request cannot even be made of some methods.
    if (incoming.method !== 'OPTIONS' && rejectInvalidRequest(incoming, outgoing, ctx)) return;
    serve(ctx, incoming, outgoing).catch((err) => {
      // Either the client left, or the store failed after the headers were sent: the broken connection reports it.
      ctx.log.debug({ err }, 'result not sent whole');
      outgoing.destroy();
    });
  };
}

async function serve(ctx: Context, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const startedAtMs = performance.now();
  const { method } = incoming;
  const { pathname: path } = new URL(`http://localhost${incoming.url}`);
  const { status } = await serveRequest(incoming, outgoing, (request) => serveResult(ctx, request));
  const durationMs = Math.round(performance.now() - startedAtMs);
  // Without the query: its signature opens the file.
  ctx.log.info({ method, path, status, durationMs }, 'request');
}
