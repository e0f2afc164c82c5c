// @module-tag long

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Service, startService } from '../../../lab/support/service.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.account('pages@example.com', '1');
});
afterAll(() => service?.stop());

interface PageResponse {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a path as it is: fetch would normalise it. */
function send(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<PageResponse> {
  return new Promise((done, failed) => {
    const sent = request(service.url, { path, method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      done({ status: response.statusCode, headers: response.headers, body });
    });
    sent.on('error', failed).end();
  });
}

describe('every HTML response has a policy that forbids frames and foreign scripts', () => {
  it.each(['/', '/settings', '/nothing', '/x.html', '/foo.js', '/a/b.css', '/api.html', '/cdn.html'])(
    '%s has the page policy',
    async (path) => {
      const { headers, body } = await send(path);
      expect(headers['content-type']).toMatch(/^text\/html/);
      const policy = String(headers['content-security-policy']);
      const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(body).toContain(`nonce="${nonce}"`);
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).toContain(`frame-ancestors 'none'`);
      expect(policy).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it.each(['/samples/x', '/samples/x.html', '/vendor/x.js', '/vendor/x.html', '/%zz', '/%00', '/a%0ab'])(
    '%s has one as well, which may deny everything',
    async (path) => {
      const { headers } = await send(path);
      if (!/html/.test(String(headers['content-type']))) return;
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).toContain(`frame-ancestors 'none'`);
      expect(policy).not.toMatch(/'self' 'wasm|unsafe/);
    },
  );
});

describe('only the built files of Next are served', () => {
  it.each([
    '/_next/xyz',
    '/_next',
    '/_next/data/build/index.json',
    '/_next/image?url=%2Fsamples%2Flemur.jpg&w=640&q=75',
    '/_next//image?url=%2Fsamples%2Flemur.jpg&w=640&q=75',
    '/%5fnext/image?url=%2Fsamples%2Flemur.jpg&w=640&q=75',
    '/_next/image?url=%2Fx%0A{"level":"fatal","msg":"forged"}&w=640&q=75',
  ])('%s is a 404 in JSON', async (path) => {
    const { status, body } = await send(path);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual(problemBody('Not Found'));
    expect(service.output()).not.toMatch(/^\{"level":"fatal"/m);
  });

  it('a file that no build has is a 404 in plain text', async () => {
    const { status, headers } = await send('/_next/static/x.html');
    expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
  });
});

it.each([
  ['OPTIONS', '*', 400],
  ['GET', '/api/%zz', 400],
  ['OPTIONS', '/api/health', 405],
])('%s %s is a %i in JSON', async (method, path, status) => {
  const response = await send(path, method);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.body)).toMatchObject({
    error: expect.any(String),
    code: expect.any(String),
    request_id: expect.any(String),
  });
});

it('a client that leaves in the middle of a body is logged as one, and not as a fault of ours', async () => {
  const { port } = new URL(service.url);
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOcp-Apim-Subscription-Key: ${account.api_key}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n{';
  for (const path of ['/api/uploads', '/api/media-tools/v1/image-convert']) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {}).write(head(path));
    // The server has the request: a client that left earlier would make no line at all.
    await once(socket, 'data');
    socket.destroy();
    const logged = new RegExp(`"path":"${path.replace('/api', '')}".*"status":(\\d+)`);
    await expect.poll(() => logged.exec(service.output())?.[1]).toBe('499');
  }
  expect(service.output()).not.toContain('request failed');
});
