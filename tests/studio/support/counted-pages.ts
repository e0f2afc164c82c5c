import { createServer, request as requestFrom } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, inject } from 'vitest';

export interface CountedPages {
  /** Without a trailing slash. */
  readonly url: string;
  /** Bytes of each response's body as it was sent, by path, in the order of the responses. */
  readonly sent: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * Serves the built pages at their own URL and counts what browsers fetch. Ends with the test file.
 */
export async function serveCountedPages(): Promise<CountedPages> {
  const origin = new URL(inject('studioUrl'));
  const sent: { path: string; bytes: number }[] = [];
  const server = createServer((asked, reply) => {
    const { url: path = '/', method, headers } = asked;
    const entry = { path, bytes: 0 };
    sent.push(entry);
    const relayed = requestFrom(
      { hostname: origin.hostname, port: origin.port, path, method, headers },
      (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers);
        response.on('data', (chunk: Buffer) => {
          entry.bytes += chunk.length;
        });
        response.pipe(reply);
      },
    );
    relayed.on('error', () => reply.destroy());
    reply.on('close', () => relayed.destroy());
    asked.pipe(relayed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}
