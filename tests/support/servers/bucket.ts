import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedPut {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** ApiResponse of the bucket: a status, or a broken connection. */
type BucketResponse = number | 'break';

export interface Bucket {
  readonly received: readonly ReceivedPut[];
  /** Returns a presigned URL of a new object. Its PUTs get these responses in turn, the last one again and again. */
  presign(...responses: BucketResponse[]): string;
  close(): Promise<void>;
}

/** Starts a loopback store that accepts presigned PUTs, as a client's own bucket does. */
export async function startBucket(): Promise<Bucket> {
  const received: ReceivedPut[] = [];
  const responses = new Map<string, BucketResponse[]>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: Buffer.concat(parts),
    });
    const left = responses.get(path) ?? [404];
    const next = (left.length > 1 ? left.shift() : left[0]) ?? 200;
    if (next === 'break') return void request.socket.destroy();
    response.writeHead(next, next === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    presign(...given) {
      const path = `/bucket/object-${responses.size}?X-Amz-Signature=secret${responses.size}`;
      responses.set(path, given.length > 0 ? given : [200]);
      return `http://127.0.0.1:${port}${path}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
