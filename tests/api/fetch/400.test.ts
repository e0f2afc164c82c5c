import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { passLinkOn } from '../../../server/api/routes/fetch-link.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink, fetchLinkRequest } from '../../support/service/fetch-link.ts';
import { problemBody } from '../../support/service/problem-body.ts';

const AUDIO = readFileSync(resolve(import.meta.dirname, '../../fixtures/audio/mono-8k.wav'));

let api: TestApi;
let target: HttpTarget;
let inside: HttpTarget;
beforeAll(async () => {
  // 127.0.0.1 plays the public internet, 127.0.0.2 the private network.
  api = await startApi({ FETCH_ALLOW_NETWORKS: '127.0.0.1/32' });
  target = await startHttpTarget((request, response) => {
    if (request.url === '/page') response.end('<!doctype html><title>A page</title>'.padEnd(200));
    else if (request.url === '/short') response.end('GIF');
    else if (request.url === '/large') response.setHeader('content-length', 20_000_001).end('GIF89a');
    else if (request.url === '/gif') response.end(`GIF89a${'secret '.repeat(100)}`);
    else if (request.url === '/bmp') response.end(`BM${'secret '.repeat(100)}`);
    else if (request.url === '/audio') response.end(AUDIO);
    else if (request.url === '/slow') drip(response);
    else if (request.url === '/inside') response.writeHead(302, { location: inside.origin }).end();
    else response.writeHead(404).end();
  });
  inside = await startHttpTarget((_request, response) => response.end('GIF89a'), { host: '127.0.0.2' });
});
afterAll(async () => {
  await Promise.all([target.stop(), inside.stop()]);
  await api.close();
});

describe('POST /fetch returns 400', () => {
  it.each([
    ['/page', 'url: contains no image, video or audio of a known format.'],
    ['/short', 'url: contains no image, video or audio of a known format.'],
    ['/large', 'url: must be at most 20,000,000 bytes.'],
    ['/gif', 'url: The image is a damaged GIF: it has no frame.'],
    ['/bmp', expect.stringMatching(/^url: The image is a damaged or unsupported BMP/)],
    ['/nothing', 'url: the server responded with status 404 instead of 200.'],
    ['/inside', 'url: must resolve to a public address.'],
  ])('for %s', async (path, message) => {
    const response = await fetchLink(api, target.origin + path);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(problemBody('Bad Request', message));
    expect(inside.connectionCount()).toBe(0);
  });

  it('for audio where no operation takes it', async () => {
    const { upscale } = OPERATIONS;
    const offer = {
      operations: { upscale },
      module: new URL('../../../models/registry.ts', import.meta.url),
    };
    const imagesOnly = await startApi({ FETCH_ALLOW_NETWORKS: '127.0.0.1/32' }, '1', offer);
    try {
      const response = await fetchLink(imagesOnly, `${target.origin}/audio`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        message: 'url: contains audio, which no tool here takes.',
      });
    } finally {
      await imagesOnly.close();
    }
  });

  it('for a server that sends too slowly', async () => {
    const limits = {
      bytesMax: 1_000_000,
      timeouts: { stallMs: 60_000, totalMs: 600_000 },
      rateMin: { bytesPerSecond: 1_000_000, graceMs: 100 },
    };
    const request = await fetchLinkRequest(api, `${target.origin}/slow`);
    await expect(passLinkOn(api.ctx, request, { limits })).rejects.toThrow(
      'url: the server sends it too slowly. Use a faster server.',
    );
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/a.jpg', 'photo.jpg', ''])('for %j', async (url) => {
    const response = await fetchLink(api, url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(/^url: must be an http/),
    });
  });
});

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('GIF89a'), 20);
  response.on('close', () => clearInterval(timer));
}
