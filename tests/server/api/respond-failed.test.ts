import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { respondInternalError } from '../../../server/api/transport/problem.ts';
import { problemBody } from '../../support/service/problem-body.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Serves a handler that fails, and records the log. */
async function serve(handle: (response: ServerResponse) => Promise<void>) {
  const lines: string[] = [];
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    lines.push(`${chunk}`);
    done();
  };
  const log = pino(new Writable({ write }));
  const server = createServer((_request, response) => {
    handle(response).catch((thrown) => respondInternalError(thrown, response, log));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
}

it('a handler that throws is logged and returns 500 as JSON, without its message', async () => {
  const { url, lines } = await serve(() => Promise.reject(new Error('a secret')));
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    500,
    'application/json; charset=utf-8',
  ]);
  expect(await response.json()).toEqual(
    problemBody('Internal Server Error', expect.not.stringContaining('secret')),
  );
  expect(lines.join()).toContain('a secret');
});

it('a response that has begun is cut off, and the error is logged', async () => {
  const { url, lines } = await serve(async (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half');
    throw new Error('in the middle');
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  expect(lines.join()).toContain('in the middle');
});
