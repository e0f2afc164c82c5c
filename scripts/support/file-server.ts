import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  readonly url: string;
  /** Requests so far, by path. */
  readonly hits: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts a loopback HTTP server that serves bytes by path, all as one media type, and 404 elsewhere. */
export async function serveFiles(
  files: Readonly<Record<string, Uint8Array>>,
  mediaType = 'application/octet-stream',
): Promise<FileServer> {
  const hits = new Map<string, number>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const bytes = files[path];
    response.writeHead(bytes ? 200 : 404, { 'content-type': mediaType });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
