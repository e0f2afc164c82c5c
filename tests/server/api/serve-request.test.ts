import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { isApiTarget } from '../../../server/api/api.ts';
import { type HandleRequest, serveRequest } from '../../../server/api/transport/serve-request.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(handle: HandleRequest): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    serveRequest(incoming, outgoing, handle).catch(() => outgoing.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('passes on method, path, query, headers and body', async () => {
  const url = await serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    return Response.json({
      method,
      pathname,
      search,
      header: headers.get('x-own'),
      body: await request.text(),
    });
  });
  const response = await fetch(`${url}/a/b%2Fc?d=e`, {
    method: 'PATCH',
    headers: { 'x-own': 'f' },
    body: 'ghi',
  });
  expect(await response.json()).toEqual({
    method: 'PATCH',
    pathname: '/a/b%2Fc',
    search: '?d=e',
    header: 'f',
    body: 'ghi',
  });
  expect(response.headers.get('content-length')).toMatch(/^\d+$/);
});

it('compresses a long document for a client that takes it, and never a short one', async () => {
  const url = await serve(async ({ url }) =>
    Response.json({ text: 'ä'.repeat(url.endsWith('long') ? 9_000 : 9) }),
  );
  const getHeaders = async (path: string, coding: string) => {
    const response = await fetch(url + path, { headers: { 'accept-encoding': coding } });
    await response.json();
    return [response.headers.get('content-encoding'), response.headers.get('vary')];
  };
  expect(await getHeaders('/long', 'gzip')).toEqual(['gzip', 'Accept-Encoding']);
  expect(await getHeaders('/long', 'identity')).toEqual([null, 'Accept-Encoding']);
  expect(await getHeaders('/short', 'gzip')).toEqual([null, null]);
});

it('responds to HEAD without a body, and 204 without one', async () => {
  const url = await serve(async ({ method }) =>
    method === 'HEAD' ? Response.json({ some: 'text' }) : new Response(null, { status: 204 }),
  );
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '15']);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
});

it('sends each piece of a stream as it comes', async () => {
  let more: ReadableStreamDefaultController | undefined;
  const body = () =>
    new ReadableStream({
      start(controller) {
        more = controller;
        controller.enqueue(Buffer.from('first'));
      },
    });
  const url = await serve(
    async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }),
  );
  const reader = (await fetch(url)).body?.getReader();
  const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await next()).toBe('first');
  more?.enqueue(Buffer.from('second'));
  expect(await next()).toBe('second');
  more?.close();
  expect(await next()).toBe('');
});

it('aborts the signal when the client leaves, and not when it has the response', async () => {
  const aborted: string[] = [];
  const url = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    request.signal.addEventListener('abort', () => aborted.push(pathname));
    if (pathname === '/slow')
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
    return Response.json({});
  });
  expect((await fetch(`${url}/fast`)).status).toBe(200);
  const left = new AbortController();
  const asked = fetch(`${url}/slow`, { signal: left.signal }).catch(() => null);
  await wait(50);
  left.abort();
  await asked;
  await vi.waitFor(() => expect(aborted).toEqual(['/slow']));
});

it('keeps the connection of an unread body', async () => {
  const url = await serve(async () => Response.json({}, { status: 401 }));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 200000\r\n\r\n${'x'.repeat(200_000)}`;
  for (const count of [1, 2]) {
    socket.write(post);
    await vi.waitFor(() => expect(text.match(/401 Unauthorized/g)).toHaveLength(count));
  }
  socket.destroy();
});

it('keeps cookies apart', async () => {
  const url = await serve(async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    return new Response(null, { headers });
  });
  const asked = send(url).end();
  const [response] = await once(asked, 'response');
  expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  response.resume();
});

it.each([
  ['/api/v2/requests', true],
  ['/api/authors', true],
  ['//api/v2/requests', true],
  ['/api//v2/requests/?a=b', true],
  ['/api/auth/session', false],
  ['/api/session?a=b', false],
  ['/api/trpc/jobs.list', false],
  ['/api/own/ledger.csv', false],
  ['/docs', false],
])('%s belongs to the API that programs call: %s', (target, expected) => {
  expect(isApiTarget(target)).toBe(expected);
});
