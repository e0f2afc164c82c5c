import { once } from 'node:events';
import type { ReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createResultsListener } from '../../../server/api/results-listener.ts';
import { recordReads, startCdn } from '../../support/service/cdn.ts';
import { startTestHttpServer, type TestHttpServer, waitForClose } from '../../support/service/http-server.ts';

const requestTo = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

let service: TestHttpServer;
afterEach(() => service.stop());

/** Starts a server that never ends a response by itself, and lists the responses that it has begun. */
async function startSlowly(): Promise<{ begun: ServerResponse[]; paths: (string | undefined)[] }> {
  const begun: ServerResponse[] = [];
  const paths: (string | undefined)[] = [];
  service = await startTestHttpServer((request, response) => {
    begun.push(response);
    paths.push(request.url);
  });
  return { begun, paths };
}

test('a thousand requests at once on one connection open one file at most, and leave none open', async () => {
  const cdn = await startCdn();
  const { ctx, opened } = recordReads(cdn.ctx);
  const { pathname, search } = new URL((await cdn.publish(Buffer.alloc(1_000_000))).url);
  service = await startTestHttpServer(createResultsListener(ctx));
  const client = await service.connect();
  client.pause().write(requestTo(pathname + search).repeat(1000));
  await expect.poll(() => service.connections()).toBe(0);
  await expect.poll(() => opened.every((stream: ReadStream) => stream.destroyed)).toBe(true);
  expect(opened.length).toBeLessThan(2);
  await cdn.stop();
});

test('the connection of a client that sends more requests than one ahead is closed', async () => {
  const { begun, paths } = await startSlowly();
  const client = await service.connect();
  const closed = waitForClose(client.resume());
  client.write(['/1', '/2', '/3', '/4'].map(requestTo).join(''));
  await closed;
  await expect.poll(() => begun.every(({ closed }) => closed)).toBe(true);
  expect(paths).toEqual(['/1']);
});

test('one request ahead begins when the response before it has ended', async () => {
  const { begun, paths } = await startSlowly();
  const client = await service.connect();
  client.write(requestTo('/1') + requestTo('/2'));
  await expect.poll(() => paths).toEqual(['/1']);
  begun[0]?.end('first');
  expect(String((await once(client, 'data'))[0])).toContain('first');
  await expect.poll(() => paths).toEqual(['/1', '/2']);
  begun[1]?.end('second');
  expect(String((await once(client, 'data'))[0])).toContain('second');
});

test('when the client leaves, the response that has begun closes and the request ahead never begins', async () => {
  const { begun, paths } = await startSlowly();
  const client = await service.connect();
  client.write(requestTo('/1') + requestTo('/2'));
  await expect.poll(() => paths).toEqual(['/1']);
  client.destroy();
  await expect.poll(() => begun[0]?.closed).toBe(true);
  await expect.poll(() => service.connections()).toBe(0);
  expect(paths).toEqual(['/1']);
});

test('a request ahead that has begun closes as well when the client leaves', async () => {
  const { begun } = await startSlowly();
  const client = await service.connect();
  client.write(requestTo('/1') + requestTo('/2'));
  await expect.poll(() => begun.length).toBe(1);
  begun[0]?.end('first');
  await expect.poll(() => begun.length).toBe(2);
  client.destroy();
  await expect.poll(() => begun[1]?.closed).toBe(true);
});

test('requests one after the other share a connection: HEAD, and one that waits for 100 Continue, too', async () => {
  service = await startTestHttpServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    response.end(`received ${bytes}`);
  });
  const client = await service.connect();
  let text = '';
  client.on('data', (chunk) => {
    text += chunk;
  });
  const respondsWith = async (sent: string, end: RegExp): Promise<void> => {
    text = '';
    client.write(sent);
    await expect.poll(() => text).toMatch(end);
  };
  await respondsWith(requestTo('/'), /^HTTP\/1.1 200 .*received 0$/s);
  await respondsWith(requestTo('/').replace('GET', 'HEAD'), /^HTTP\/1.1 200 .*\r\n\r\n$/s);
  const headers = 'Host: localhost\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n';
  await respondsWith(`POST / HTTP/1.1\r\n${headers}`, /^HTTP\/1.1 100 Continue\r\n\r\n$/);
  await respondsWith('x'.repeat(100_000), /^HTTP\/1.1 200 .*received 100000$/s);
  await respondsWith(requestTo('/'), /^HTTP\/1.1 200 .*received 0$/s);
});
