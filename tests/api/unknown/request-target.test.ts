import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rejectInvalidRequest } from '../../../server/api/transport/reject-invalid-request.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let server: Server;
let url: string;
const logLines: string[] = [];
beforeAll(async () => {
  const log = createLogger('info', 'test', { write: (line) => logLines.push(line) });
  const ctx = { env: readEnv({}), log };
  server = createServer((request, response) => {
    if (!rejectInvalidRequest(request, response, ctx)) response.end('for Next');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const READ_ONLY = ['/_next/static/page.js?x=1', '/', '/convert', '/v1/remove-bg'];

it.each(
  ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) => READ_ONLY.map((path) => [method, path])),
)('%s %s returns 405 as JSON', async (method, path) => {
  const response = await fetch(url + path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  const message = `${method}: use GET, HEAD. The API is below /api.`;
  expect(await response.json()).toEqual(problemBody('Method Not Allowed', message));
});

it.each(['GET', 'HEAD'])('%s of a static file is passed on', async (method) => {
  expect((await fetch(`${url}/_next/static/page.js`, { method })).status).toBe(200);
});

it.each(['/%61pi/health', '/%61pi/health/', '/%41PI', '/api%2Fhealth'])(
  '%s returns 404 as JSON',
  async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: 'Not Found' });
  },
);

it.each(['/api/health', '/%2e/api/health', '//api/health', '/api//health', '/api/health/'])(
  'POST %s is passed on',
  async (path) => {
    expect((await fetch(url + path, { method: 'POST' })).status).toBe(200);
  },
);

it.each(['/%', '/%70age', '/page/%61pi'])('%s is passed on', async (path) => {
  expect((await fetch(url + path)).status).toBe(200);
});

it.each(['/api/v2/uploads/%zz', '/api/session/', '/api/v2/..%2f', '/%61pi/health'])(
  'scripts of pages of any origin may read the refusal of %s',
  async (path) => {
    const { ok, headers } = await fetch(url + path);
    expect(ok).toBe(false);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Error-Code');
  },
);

it('no other origin reads the refusal of a page', async () => {
  const { headers } = await fetch(`${url}/convert`, { method: 'POST' });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

it('a refused request leaves the signature of parts_url out of the log', async () => {
  const { status } = await fetch(`${url}/api/v2/uploads/token.signature/%zz`);
  expect(status).toBe(400);
  expect(logLines.at(-1)).toContain('"path":"/api/v2/uploads/[redacted]"');
  expect(logLines.filter((line) => line.includes('signature'))).toEqual([]);
});
