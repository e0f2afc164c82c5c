import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHttpServer, type TestHttpServer } from '../../support/service/http-server.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let service: TestHttpServer;
beforeAll(async () => {
  service = await startTestHttpServer((request, response) => {
    if (request.method === 'GET') return response.end('for the listener');
    response.write('begun,');
    // What follows the head of a POST is broken here.
    request.on('error', () => {}).resume();
  });
});
afterAll(() => service.stop());

/** Sends bytes as they are. @returns all that the server sends until it closes the connection */
async function sendRaw(bytes: string): Promise<string> {
  const client = await service.connect();
  client.end(bytes);
  return await text(client);
}

const HOST = 'Host: localhost\r\nConnection: close\r\n';

it.each([
  ['a method that HTTP does not have', `FOO /api/x HTTP/1.1\r\n${HOST}\r\n`, 400, /^method: /],
  [
    'headers beyond the limit',
    `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    /^headers: /,
  ],
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /^Host: /],
  ['two Hosts', `GET / HTTP/1.1\r\nHost: other\r\n${HOST}\r\n`, 400, /^Host: /],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${HOST}Expect: cake\r\n\r\n`, 417, /^Expect: /],
  ['a wrong length', `POST / HTTP/1.1\r\n${HOST}Content-Length: a\r\n\r\n`, 400, /^request: /],
  ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01', 400, /^method: /],
])('responds to %s in JSON, and closes', async (_name, bytes, status, message) => {
  const [head = '', body = ''] = (await sendRaw(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^content-type: application\/json/im);
  expect(head).toMatch(/^connection: close/im);
  expect(head).toMatch(/^access-control-allow-origin: \*/im);
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  const { error } = JSON.parse(json);
  expect(JSON.parse(json)).toEqual(problemBody(error, expect.stringMatching(message)));
});

it('passes HTTP/1.0 without a Host on', async () => {
  expect(await sendRaw('GET / HTTP/1.0\r\n\r\n')).toContain('for the listener');
});

it('writes nothing into a response that has begun', async () => {
  const client = await service.connect();
  client.write(`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`);
  const [begun] = await once(client, 'data');
  expect(String(begun)).toContain('begun,');
  client.end('no length\r\n');
  expect(await text(client)).not.toContain('HTTP');
});

it.each([
  ['https://service.example', true],
  ['http://localhost:3000', false],
])('says whether browsers must encrypt where the service is %s', async (url, isEncrypted) => {
  const own = await startTestHttpServer((_request, response) => response.end('a page'), {
    env: { PUBLIC_URL: url },
  });
  try {
    const client = await own.connect();
    client.end(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    expect(/^strict-transport-security: max-age=31536000/im.test(await text(client))).toBe(isEncrypted);
  } finally {
    await own.stop();
  }
});
