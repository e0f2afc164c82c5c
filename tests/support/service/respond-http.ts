import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { handleApi } from '../../../server/api/api.ts';
import type { Context } from '../../../server/base/context.ts';

/** Body, method, path and headers of a request that came over a socket. */
export type IncomingRequest = Readable & Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Responds to a request that came over a socket by the API in this process.
 * @param more headers that the request gets besides its own
 */
export async function respondHttp(
  ctx: Context,
  incoming: IncomingRequest,
  outgoing: ServerResponse,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const headers = Object.entries({ ...incoming.headers, ...more })
    .filter(([name]) => name !== 'transfer-encoding')
    .map(([name, value]) => [name, String(value)] as const);
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const request = new Request(new URL(url, ctx.env.PUBLIC_URL), {
    method,
    signal: left.signal,
    headers: Object.fromEntries(headers),
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
  const response = await handleApi(ctx, request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(response.body as ReadableStream, outgoing);
  else outgoing.end();
}
