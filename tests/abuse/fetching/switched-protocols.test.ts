import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUrl, postJson } from '../../../server/io/fetching/index.ts';

const reach = { allowNetworks: ['127.0.0.1/32'] };
const REFUSAL = 'the server switches protocols instead of responding.';

let server: Server;
let url: string;
/** Connections that the server has accepted. */
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const isClosed = (): boolean | undefined => sockets.at(-1)?.destroyed;

test('a URL whose server switches protocols fails, and its connection is closed', async () => {
  const opened = openUrl(url, {
    ...reach,
    owner: 'test',
    bytesMax: 100,
    signal: new AbortController().signal,
  });
  await expect(opened).rejects.toThrow(REFUSAL);
  await expect.poll(isClosed).toBe(true);
});

test('so does a webhook', async () => {
  const posted = postJson(url, { ...reach, body: '{}', headers: {}, timeoutMs: 600_000 });
  await expect(posted).rejects.toThrow(REFUSAL);
  await expect.poll(isClosed).toBe(true);
});
