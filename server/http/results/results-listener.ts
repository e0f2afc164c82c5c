import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from '../../context.ts';
import { rejectInvalidRequest } from '../transport/reject-invalid-request.ts';
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
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const { method = 'GET', headers } = incoming;
  const url = new URL(`http://localhost${incoming.url}`);
  const request = new Request(url, { method, headers: headersOf(headers), signal: left.signal });
  const response = await serveResult(ctx, request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(response.body as ReadableStream, outgoing);
  else outgoing.end();
  const durationMs = Math.round(performance.now() - startedAtMs);
  // Without the query: its signature opens the file.
  ctx.log.info({ method, path: url.pathname, status: response.status, durationMs }, 'request');
}

const HEADERS = ['range', 'if-range', 'if-none-match', 'access-control-request-method'] as const;

/** Copies the headers that the response may depend on. */
function headersOf(headers: IncomingMessage['headers']): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') given[name] = value;
  }
  return given;
}
