import { randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResultsListener } from '../../../server/api/results-listener.ts';
import { startCdn, type TestCdn } from '../../support/service/cdn.ts';

let cdn: TestCdn;
let server: Server;
const opened: ReadStream[] = [];

const watchedStorage = (): typeof cdn.ctx.storage => ({
  ...cdn.ctx.storage,
  async get(key, range) {
    const object = await cdn.ctx.storage.get(key, range);
    opened.push(object.stream as ReadStream);
    return object;
  },
});

beforeAll(async () => {
  cdn = await startCdn();
  server = createServer(createResultsListener({ ...cdn.ctx, storage: watchedStorage() }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await cdn.stop();
});

function here(url: string): string {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}${search}`;
}

test('a result arrives whole over HTTP, with its length', async () => {
  const content = randomBytes(3_000_000);
  const { url } = await cdn.publish(content, { name: 'ä.png' });
  const response = await fetch(here(url));
  expect(response.headers.get('content-length')).toBe('3000000');
  expect(content.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  const head = await fetch(here(url), { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe('3000000');
  const range = await fetch(here(url), { headers: { range: 'bytes=-2' } });
  expect(range.status).toBe(206);
  expect(Buffer.from(await range.arrayBuffer())).toEqual(content.subarray(-2));
});

test('errors arrive as JSON', async () => {
  const { url } = await cdn.publish(Buffer.from('x'));
  const response = await fetch(here(url).replace('signature=', 'signature=A'));
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: 'Forbidden' });
  expect((await fetch(here(url), { method: 'POST', body: 'x' })).status).toBe(405);
});

test('a client that disconnects in the middle closes the file', async () => {
  const bytes = 64 * 1024 * 1024;
  const { url } = await cdn.publish(Buffer.alloc(bytes));
  opened.length = 0;
  await new Promise<void>((resolve) => {
    request(here(url), (response) => {
      response.on('error', () => {}).once('data', () => response.destroy());
      response.once('close', resolve);
    }).end();
  });
  while (!opened[0]?.destroyed) await setTimeout(10);
  expect(opened[0].bytesRead).toBeLessThan(bytes / 2);
});

test('a store that fails in the middle breaks off the response, and the server keeps running', async () => {
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  const failing = createServer(
    createResultsListener({
      ...cdn.ctx,
      storage: {
        ...cdn.ctx.storage,
        get: async () => ({
          bytes: 10,
          stream: Readable.from(
            (async function* () {
              yield Buffer.from('0123');
              throw new Error('disk failed');
            })(),
          ),
        }),
      },
    }),
  );
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
  const { port } = failing.address() as AddressInfo;
  const { pathname, search } = new URL(url);
  const broken = `http://127.0.0.1:${port}${pathname}${search}`;
  await expect(fetch(broken).then((response) => response.text())).rejects.toThrow();
  expect((await fetch(broken, { method: 'HEAD' })).status).toBe(200);
  failing.closeAllConnections();
  failing.close();
});

test('a method that Request rejects leaves the server running', async () => {
  const { url } = await cdn.publish(Buffer.from('x'));
  await new Promise<void>((resolve) => {
    request(here(url), { method: 'TRACE' })
      .on('error', () => resolve())
      .on('response', (response) => response.resume().on('end', resolve))
      .end();
  });
  expect((await fetch(here(url))).status).toBe(200);
});
