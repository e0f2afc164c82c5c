import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { readBody } from '../../../server/api/transport/read-request.ts';
import { collectGarbage } from '../../support/processes/collect-garbage.ts';
import { startTestHttpServer, type TestHttpServer, waitForClose } from '../../support/service/http-server.ts';

const CHUNKS = 100_000;
const SMALL_CHUNKS = 9_000;

let service: TestHttpServer | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

test('a body of small chunks is passed on in few chunks, whole and in order', async () => {
  const bodies: Buffer[][] = [];
  service = await startTestHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    bodies.push(chunks);
    request.on('data', (chunk) => chunks.push(chunk));
    request.once('end', () => response.end('received'));
  });
  const client = await service.connect();
  const chunk = 'a few bytes';
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  client.write(`b\r\n${chunk}\r\n`.repeat(SMALL_CHUNKS));
  client.write('0\r\n\r\n');
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 200 OK/);
  const [chunks = []] = bodies;
  expect(Buffer.concat(chunks).toString()).toBe(chunk.repeat(SMALL_CHUNKS));
  expect(chunks.length).toBeLessThan(SMALL_CHUNKS / 100);
});

test('a client that sends its body byte by byte at full speed is cut off', async () => {
  service = await startTestHttpServer((request) => void request.resume());
  const client = await service.connect();
  const closed = waitForClose(client.resume());
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  client.write('1\r\na\r\n'.repeat(CHUNKS));
  await closed;
  await expect.poll(() => service?.connections()).toBe(0);
});

test('a large body waits in the socket while nothing reads it', async () => {
  const requests: { readableLength: number; resume(): unknown }[] = [];
  service = await startTestHttpServer((request, response) => {
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
