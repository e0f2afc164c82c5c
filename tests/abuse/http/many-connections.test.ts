import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startTestHttpServer, type TestHttpServer, waitForClose } from '../../support/service/http-server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

let service: TestHttpServer;
afterEach(() => service.stop());

async function respondTo(client: Socket, headers = ''): Promise<string> {
  const response = once(client, 'data');
  client.write(`${REQUEST}${headers}\r\n`);
  return String((await response)[0]);
}

const ok = expect.stringMatching(/^HTTP\/1.1 200/);
const refused = expect.stringMatching(
  /^HTTP\/1.1 429.*"message":"Too many open connections from this address: at most \d+ may be open/s,
);

test('connections beyond the limit of an address get 429, and another address is served', async () => {
  service = await startTestHttpServer((_request, response) => void response.end('here'), {
    limits: { total: 100, perAddress: 5 },
  });
  const attacker = { localAddress: '127.0.0.2' };
  const held = await Promise.all(Array.from({ length: 5 }, () => service.connect(attacker)));
  const beyond = await service.connect(attacker);
  expect(String((await once(beyond, 'data'))[0])).toEqual(refused);
  await expect.poll(() => service.connections()).toBe(5);
  expect(await respondTo(await service.connect())).toEqual(ok);

  held[0]?.destroy();
  await expect.poll(() => service.connections()).toBe(5);
  expect(await respondTo(await service.connect(attacker))).toEqual(ok);
});

test('behind a trusted proxy the open requests of each forwarded address count', async () => {
  const waiting: (() => void)[] = [];
  service = await startTestHttpServer(
    ({ headers }, response) =>
      headers['x-wait'] ? void waiting.push(() => response.end('late')) : void response.end('here'),
    { limits: { total: 100, perAddress: 3 }, env: { TRUSTED_PROXIES: '1' } },
  );
  const from = (address: string): string => `X-Forwarded-For: ${address}\r\n`;
  const held = await Promise.all(Array.from({ length: 3 }, () => service.connect()));
  for (const client of held) client.write(`${REQUEST}X-Wait: 1\r\n${from('192.0.2.1')}\r\n`);
  await expect.poll(() => waiting.length).toBe(3);
  expect(await respondTo(await service.connect(), from('192.0.2.1'))).toEqual(refused);
  expect(await respondTo(await service.connect(), from('192.0.2.2'))).toEqual(ok);

  waiting[0]?.();
  await once(held[0] as Socket, 'data');
  expect(await respondTo(await service.connect(), from('192.0.2.1'))).toEqual(ok);
});

test('with all connections taken by idle clients, those are closed and others are served', async () => {
  service = await startTestHttpServer((_request, response) => void response.end('here'), {
    limits: { total: 10, perAddress: 10 },
  });
  for (let taken = 0; taken < 10; taken++) expect(await respondTo(await service.connect())).toEqual(ok);
  // The first one that does not fit makes room for others.
  (await service.connect()).destroy();
  await expect
    .poll(async () => {
      const client = await service.connect();
      const closed = waitForClose(client).then(() => 'closed');
      return Promise.race([respondTo(client).catch(() => closed), closed]);
    })
    .toEqual(ok);
});
