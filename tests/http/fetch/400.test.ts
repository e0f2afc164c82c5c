import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { fetchLink } from '../../support/fetch-link.ts';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.ts';

let api: TestApi;
let target: HttpTarget;
let inside: HttpTarget;
beforeAll(async () => {
  // 127.0.0.1 plays the public internet, 127.0.0.2 the private network.
  api = await startApi({ FETCH_ALLOW_NETWORKS: '127.0.0.1/32' });
  target = await startHttpTarget((request, response) => {
    if (request.url === '/page') response.end('<!doctype html><title>A page</title>'.padEnd(200));
    else if (request.url === '/short') response.end('GIF');
    else if (request.url === '/large') response.setHeader('content-length', 50_000_001).end('GIF89a');
    else if (request.url === '/inside') response.writeHead(302, { location: inside.origin }).end();
    else response.writeHead(404).end();
  });
  inside = await startHttpTarget((_request, response) => response.end('GIF89a'), { host: '127.0.0.2' });
});
afterAll(async () => {
  await Promise.all([target.stop(), inside.stop()]);
  await api.close();
});

describe('POST /fetch answers 400', () => {
  it.each([
    ['/page', 'url: holds no picture of a known format.'],
    ['/short', 'url: holds no picture of a known format.'],
    ['/large', 'url: must be at most 50,000,000 bytes.'],
    ['/nothing', 'url: the server answered with status 404 instead of 200.'],
    ['/inside', 'url: must lead to a public address.'],
  ])('for %s', async (path, message) => {
    const response = await fetchLink(api, target.origin + path);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'Bad Request', message });
    expect(inside.connectionCount()).toBe(0);
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/a.jpg', 'photo.jpg', ''])('for %j', async (url) => {
    const response = await fetchLink(api, url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(/^url: must be an http/),
    });
  });
});
