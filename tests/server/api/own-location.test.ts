import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepLocationOwn } from '../../../server/api/transport/page-headers.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';

const ctx = {
  env: readEnv({ PUBLIC_URL: 'https://darkroom.example' }),
  log: createLogger('silent', 'test'),
};
/** Redirects to what the query says. */
const server = createServer((request, response) => {
  keepLocationOwn(request, response, ctx);
  const to = new URL(request.url ?? '', 'http://localhost').searchParams.get('to') ?? '';
  response.setHeader('location', to);
  response.statusCode = 307;
  response.end();
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function getLocation(to: string): Promise<string | null> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/?${new URLSearchParams({ to })}`;
  return (await fetch(url, { redirect: 'manual' })).headers.get('location');
}

test.each(['/sign-in?next=%2Fa', 'sign-in', 'https://darkroom.example/a'])(
  'a redirect to %s stays',
  async (to) => {
    expect(await getLocation(to)).toBe(to);
  },
);

test.each([
  'https://elsewhere.example/',
  'http://darkroom.example/a',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/.//elsewhere.example',
  'javascript:alert(1)',
])('a redirect to %s is removed', async (to) => {
  expect(await getLocation(to)).toBeNull();
});
