import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startTestHttpServer, type TestHttpServer, waitForClose } from '../../support/service/http-server.ts';

const paceMin = { windowMs: 600, bytes: 100 };
const head = (bytes: number): string =>
  `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`;

let service: TestHttpServer;
afterEach(() => service.stop());

test('a client that sends its body byte by byte is cut off', async () => {
  service = await startTestHttpServer((request) => void request.resume(), { stall: { paceMin } });
  const client = await service.connect();
  client.write(head(1_000_000));
  const dripping = setInterval(() => client.write('x'), 50);
  await waitForClose(client.resume());
  clearInterval(dripping);
  await expect.poll(() => service.connections()).toBe(0);
});

test('a slow upload that keeps a pace arrives whole, however long it takes', async () => {
  let bytes = 0;
  service = await startTestHttpServer(
    async (request, response) => {
      for await (const chunk of request) bytes += chunk.length;
      response.end('received');
    },
    { stall: { paceMin } },
  );
  const client = await service.connect();
  client.write(head(20_000));
  for (let sent = 0; sent < 20_000; sent += 200) {
    client.write('x'.repeat(200));
    await wait(20);
  }
  const [response] = await once(client, 'data');
  expect(String(response)).toMatch(/^HTTP\/1.1 200 OK/);
  expect(bytes).toBe(20_000);
});

test('time during which the service itself does not read does not count against a client', async () => {
  service = await startTestHttpServer(
    async (request, response) => {
      await wait(4 * paceMin.windowMs);
      request.resume().once('end', () => response.end('received'));
    },
    { stall: { paceMin } },
  );
  const client = await service.connect();
  client.write(head(1_000_000));
  client.write('x'.repeat(1_000_000));
  const [response] = await once(client, 'data');
  expect(String(response)).toMatch(/^HTTP\/1.1 200 OK/);
});

test('a body that continues after its response is cut off soon', async () => {
  service = await startTestHttpServer((_request, response) => void response.writeHead(401).end('no'), {
    stall: { lingerMs: 200 },
  });
  const client = await service.connect();
  client.write(head(1_000_000_000));
  const sending = setInterval(() => client.write('x'.repeat(10_000)), 10);
  const [response] = await once(client, 'data');
  expect(String(response)).toMatch(/^HTTP\/1.1 401/);
  await waitForClose(client.resume());
  clearInterval(sending);
  await expect.poll(() => service.connections()).toBe(0);
});
