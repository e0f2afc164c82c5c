import type { ReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createResultsListener } from '../../../server/api/results-listener.ts';
import { recordReads, startCdn, type TestCdn } from '../../support/service/cdn.ts';
import { startTestHttpServer, type TestHttpServer } from '../../support/service/http-server.ts';

/** More than a system buffers for a connection. */
const BYTES = 64 * 1024 * 1024;
const paceMin = { windowMs: 600, bytes: 100_000 };

let cdn: TestCdn;
let service: TestHttpServer;
let result: string;
let opened: ReadStream[] = [];

beforeAll(async () => {
  cdn = await startCdn();
  const { pathname, search } = new URL((await cdn.publish(Buffer.alloc(BYTES))).url);
  result = `GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
});
afterAll(() => cdn.stop());
afterEach(() => service.stop());

function serveResults(): Promise<TestHttpServer> {
  const { ctx, opened: recorded } = recordReads(cdn.ctx);
  opened = recorded;
  return startTestHttpServer(createResultsListener(ctx), { stall: { paceMin } });
}

async function untilReleased(): Promise<void> {
  await expect.poll(() => opened[0]?.destroyed).toBe(true);
  await expect.poll(() => service.connections()).toBe(0);
}

test('a client that never reads its result is cut off, and the file is closed', async () => {
  service = await serveResults();
  const client = (await service.connect()).pause();
  client.write(result);
  await untilReleased();
});

test('a client that reads its result byte by byte is cut off, and the file is closed', async () => {
  service = await serveResults();
  const client = (await service.connect()).pause();
  client.write(result);
  const sipping = setInterval(() => client.read(1), 20);
  await untilReleased();
  clearInterval(sipping);
});

test('a client that closes its own side and never reads is cut off, and the file is closed', async () => {
  service = await serveResults();
  const client = (await service.connect()).pause();
  client.end(result);
  await expect.poll(() => service.connections()).toBe(0);
  await expect.poll(() => opened.every((stream) => stream.destroyed)).toBe(true);
});

test('a client that reads what there is keeps a response that itself is slow', async () => {
  service = await startTestHttpServer(
    async (_request, response) => {
      for (let part = 0; part < 8; part++) {
        response.write('x');
        await wait(paceMin.windowMs / 2);
      }
      response.end('whole');
    },
    { stall: { paceMin } },
  );
  const client = await service.connect();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of client) text += chunk;
  expect(text).toContain('whole');
});
