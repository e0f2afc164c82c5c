import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { fetchLink } from '../../support/fetch-link.ts';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.ts';

const PICTURE = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), randomBytes(3_000_000)]);

let api: TestApi;
let target: HttpTarget;
let closed = 0;
beforeAll(async () => {
  api = await startApi();
  target = await startHttpTarget((request, response) => {
    response.on('close', () => {
      closed += 1;
    });
    response.setHeader('content-type', 'text/html');
    if (request.url !== '/endless.jpg') return response.end(PICTURE);
    const pour = () => {
      while (!response.destroyed && response.write(PICTURE));
    };
    response.on('drain', pour);
    return pour();
  });
});
afterAll(async () => {
  await target.stop();
  await api.close();
});

describe('POST /fetch answers 200', () => {
  it('with the picture as it is, named by its bytes, and in a form that is no page of ours', async () => {
    const response = await fetchLink(api, `${target.origin}/photo.jpg`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(PICTURE)).toBe(true);
  });

  it('and tells the site nothing of who asks', async () => {
    const headers = {
      cookie: 'theme=dark',
      'user-agent': 'Visitor',
      referer: 'http://localhost:3000/convert',
    };
    await (await fetchLink(api, `${target.origin}/photo.jpg`, headers)).arrayBuffer();
    const sent = target.requests.at(-1)?.request.headers;
    expect(Object.keys(sent ?? {}).sort()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].sort(),
    );
    expect(sent?.['user-agent']).toBe('darkroom/1.0');
  });

  it('and stops fetching when nobody reads any more', async () => {
    const before = closed;
    const response = await fetchLink(api, `${target.origin}/endless.jpg`);
    await response.body?.cancel();
    await expect.poll(() => closed).toBe(before + 1);
  });

  it('and breaks off what turns out longer than 50 MB', async () => {
    const response = await fetchLink(api, `${target.origin}/endless.jpg`);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});
