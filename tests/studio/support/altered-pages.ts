import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, inject } from 'vitest';

/** Response of the pages' server, before it goes on to the browser. */
export interface ServedFile {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

const STATIC = '/_next/static/';
/** Hop-by-hop headers, and those that describe the bytes as they were sent. */
const DROPPED_HEADERS = [
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
  'content-length',
];

/**
 * Serves the built pages at a URL of their own, with altered responses. Ends with the test file.
 * @param alter changes the headers in place, and returns the body
 * @returns the URL, without a trailing slash
 */
export async function serveAlteredPages(alter: (served: ServedFile) => Buffer | string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { url: path = '/', method = 'GET' } = request;
    const asked = new Headers(request.headers as Record<string, string>);
    for (const name of DROPPED_HEADERS) asked.delete(name);
    // A compressed response would be decompressed right below.
    asked.set('accept-encoding', 'identity');
    const url = inject('studioUrl') + path;
    const upstream = await fetch(url, { method, headers: asked, redirect: 'manual' });
    const headers = new Headers(upstream.headers);
    for (const name of DROPPED_HEADERS) headers.delete(name);
    const body = alter({ path, headers, body: Buffer.from(await upstream.arrayBuffer()) });
    response.writeHead(upstream.status, Object.fromEntries(headers)).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Prepends a statement to every script, on pages and in workers. */
export function prependStatement({ path, headers, body }: ServedFile, statement: string): Buffer {
  const isScript = headers.get('content-type')?.includes('javascript') && path.startsWith(STATIC);
  return isScript ? Buffer.concat([Buffer.from(`${statement};\n`), body]) : body;
}
