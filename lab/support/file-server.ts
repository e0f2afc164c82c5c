import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

export interface FileServer {
  readonly url: string;
  /** Requests so far, by path. */
  readonly hits: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Media types of images, which the server of an image to moderate must name. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.tiff': 'image/tiff',
  '.webp': 'image/webp',
};

/**
 * Starts a loopback HTTP server that serves bytes by path, and 404 elsewhere.
 * @param mediaType of all files; by default that of an image by its extension, else `application/octet-stream`
 */
export async function serveFiles(
  files: Readonly<Record<string, Uint8Array>>,
  mediaType?: string,
): Promise<FileServer> {
  const hits = new Map<string, number>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const bytes = files[path];
    const byName = IMAGE_TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(bytes ? 200 : 404, { 'content-type': mediaType ?? byName });
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
