import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { readBody } from '../../server/http/read-json.ts';
import { type BoundedServer, startBoundedServer } from '../support/bounded-server.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const CHUNKS = 100_000;

let service: BoundedServer | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

test('a body of single bytes is passed on in few chunks, whole and in order', async () => {
  const bodies: Buffer[][] = [];
  service = await startBoundedServer((request, response) => {
    const chunks: Buffer[] = [];
    bodies.push(chunks);
    request.on('data', (chunk) => chunks.push(chunk));
    request.once('end', () => response.end('received'));
  });
  const client = await service.connect();
  const text = Buffer.from(Array.from({ length: CHUNKS }, (_, at) => 97 + (at % 26)));
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  client.write([...text].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join(''));
  client.write('0\r\n\r\n');
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 200 OK/);
  const [chunks = []] = bodies;
  expect(Buffer.concat(chunks).equals(text)).toBe(true);
  expect(chunks.length).toBeLessThan(CHUNKS / 100);
});

test('a large body waits in the socket while nobody reads it', async () => {
  const requests: { readableLength: number; resume(): unknown }[] = [];
  service = await startBoundedServer((request, response) => {
    requests.push(request);
    request.once('end', () => response.end('received'));
  });
  const client = await service.connect();
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000000\r\n\r\n');
  client.write(Buffer.alloc(40_000_000));
  await expect.poll(() => requests[0]?.readableLength ?? 0).toBeGreaterThan(0);
  await expect.poll(() => client.writableLength).toBeGreaterThan(20_000_000);
  expect(requests[0]?.readableLength).toBeLessThan(1_000_000);
  requests[0]?.resume();
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 200 OK/);
});

test('a JSON body that arrives byte by byte takes little more memory than its bytes', async () => {
  let sent = 0;
  let measured = 0;
  collectGarbage();
  const before = process.memoryUsage();
  const body = new ReadableStream({
    pull(controller) {
      if (sent++ < CHUNKS) return controller.enqueue(new Uint8Array([97]));
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      measured = heapUsed + external - before.heapUsed - before.external;
      controller.close();
    },
  });
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
  expect((await readBody(request, 2 * CHUNKS)).length).toBe(CHUNKS);
  expect(measured).toBeLessThan(50 * CHUNKS);
});
