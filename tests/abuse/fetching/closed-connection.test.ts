import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { openUrl } from '../../../server/io/fetching/index.ts';

const BODY = Buffer.alloc(1_000_000, 'a');

it('a server that closes the connection while its body waits to be read neither ends this process nor loses bytes', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n`);
      socket.end(BODY);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const opened = await openUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    owner: 'test',
    bytesMax: BODY.length,
    allowNetworks: ['127.0.0.1/32'],
    signal: new AbortController().signal,
  });
  const received: Uint8Array[] = [];
  for await (const chunk of opened.body) {
    received.push(chunk);
    // A slow disk: the end of the connection overtakes the reader.
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(Buffer.concat(received).equals(BODY)).toBe(true);
  opened.close();
  server.close();
});
