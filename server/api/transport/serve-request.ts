import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** Handles a web-standard request. */
export type HandleRequest = (request: Request) => Promise<Response>;

/** JSON from this size on is compressed for clients that take it. Smaller documents fit into a packet or few. */
const COMPRESSED_BYTES_MIN = 8_192;
const JSON_TYPE = /^application\/json\b/;
const BODILESS_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * Handles a request straight from Node, without a framework between: each of its layers would take longer than a
 * request for a job's status does. The request's signal aborts when the client leaves before the whole response.
 * @returns the response, once it is sent
 * @throws what the handler throws; an error of the stream when the client leaves, or the body fails
 */
export async function serveRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: HandleRequest,
): Promise<Response> {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  const response = await handle(getRequest(incoming, left.signal));
  await sendResponse(incoming, outgoing, response);
  return response;
}

function getRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', headers: given, url } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  // Read only when asked for: an unread body leaves the connection as it is.
  const body = BODILESS_METHODS.includes(method) ? null : (NodeStream.from(incoming) as ReadableStream);
  return new Request(`http://localhost${url}`, {
    method,
    headers,
    signal,
    body,
    ...(body && { duplex: 'half' }),
  });
}

async function sendResponse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
): Promise<void> {
  if (outgoing.destroyed) return void (await response.body?.cancel());
  outgoing.setHeaders(response.headers);
  outgoing.statusCode = response.status;
  if (!response.body) return void outgoing.end();
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) {
    return await pipeline(response.body as NodeStream, outgoing);
  }
  const document = await encodeJson(incoming, outgoing, await response.text());
  outgoing.setHeader('content-length', Buffer.byteLength(document));
  // Node sends a text together with the head, in one call of the system.
  outgoing.end(document);
}

async function encodeJson(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  document: string,
): Promise<Buffer | string> {
  if (document.length < COMPRESSED_BYTES_MIN) return document;
  outgoing.setHeader('vary', 'Accept-Encoding');
  const isAccepted = new Negotiator(incoming).encoding(['gzip', 'identity']) === 'gzip';
  if (!isAccepted) return document;
  outgoing.setHeader('content-encoding', 'gzip');
  return await promisify(gzip)(document);
}
