// @module-tag long

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebProcess, type WebProcess } from '../../support/processes/web-process.ts';
import { waitForClose } from '../../support/service/http-server.ts';

const CLIENTS = 60;

let web: WebProcess;
beforeAll(async () => {
  web = await startWebProcess();
}, 300_000);
afterAll(() => web?.stop());

async function descriptors(): Promise<number> {
  return (await readdir(`/proc/${web.pid}/fd`)).length;
}

/** Sends a request on each of many connections, and closes them once each has a response or was closed. */
async function visit(request: string): Promise<string[]> {
  const clients = Array.from({ length: CLIENTS }, () => connect(web.port, '127.0.0.1').on('error', () => {}));
  const responses = await Promise.all(clients.map((client) => answerTo(client, request)));
  for (const client of clients) client.destroy();
  return responses;
}

async function answerTo(client: Socket, request: string): Promise<string> {
  client.write(request);
  const closed = waitForClose(client).then(() => '');
  return Promise.race([closed, once(client, 'data').then(([chunk]) => String(chunk).slice(0, 12))]);
}

const UPGRADE =
  'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n';

test.skipIf(!existsSync('/proc/self/fd')).each([
  ['an API path', `GET /api/health HTTP/1.1\r\n${UPGRADE}`, 'HTTP/1.1 200'],
  ['a page', `GET /convert HTTP/1.1\r\n${UPGRADE}`, 'HTTP/1.1 200'],
  ['an unknown path', `GET /_next/webpack-hmr HTTP/1.1\r\n${UPGRADE}`, 'HTTP/1.1 404'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', ''],
])(
  'upgrade requests to %s get a response or are closed, and hold no descriptor',
  async (_name, request, response) => {
    const before = await descriptors();
    expect(new Set(await visit(request))).toEqual(new Set([response]));
    // A few: connections to the database, and files that the first request opens.
    await expect.poll(descriptors).toBeLessThan(before + CLIENTS / 2);
  },
);
