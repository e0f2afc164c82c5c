import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { passLinkOn } from '../../../server/api/routes/fetch-link.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink, fetchLinkRequest, fetchPageToken } from '../../support/service/fetch-link.ts';
import { openSignedInBrowser, type TestBrowser } from '../../support/service/sign-in.ts';

let picture: Buffer<ArrayBuffer>;

let api: TestApi;
let target: HttpTarget;
let closed = 0;
beforeAll(async () => {
  const jpeg = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  picture = Buffer.concat([jpeg, randomBytes(3_000_000)]);
  api = await startApi();
  target = await startHttpTarget((request, response) => {
    response.on('close', () => {
      closed += 1;
    });
    response.setHeader('content-type', 'text/html');
    if (request.url === '/stuck.jpg') return response.write(picture);
    if (request.url === '/large.jpg') return response.end(Buffer.concat(Array(8).fill(picture)));
    return response.end(picture);
  });
});
afterAll(async () => {
  await target.stop();
  await api.close();
});

describe('POST /fetch returns 200', () => {
  it('with the unchanged image, typed by its bytes, and headers that keep browsers from rendering it', async () => {
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
    expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
  });

  it('without passing the headers of the visitor to the site', async () => {
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

  it('until the client leaves: then the link is fetched no longer', async () => {
    const leaving = new AbortController();
    const before = closed;
    const request = await fetchLinkRequest(api, `${target.origin}/stuck.jpg`, {}, leaving.signal);
    const response = handleApi(api.ctx, request);
    await expect.poll(() => target.requests.at(-1)?.request.url).toBe('/stuck.jpg');
    leaving.abort();
    expect((await response).status).not.toBe(200);
    await expect.poll(() => closed).toBe(before + 1);
  });

  it('with up to 50 MB to an account that can pay, whose user is signed in', async () => {
    const url = `${target.origin}/large.jpg`;
    expect((await fetchLink(api, url)).status).toBe(400);
    const owner = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
    const response = await fetchLink(api, url, await passOf(owner));
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(8 * picture.length);
    const { accountId } = await openAccount(api.ctx.db, 'penniless@example.com');
    const penniless = await openSignedInBrowser(api, { accountId, email: 'penniless@example.com' });
    expect((await fetchLink(api, url, await passOf(penniless))).status).toBe(400);
  });

  /** Headers of a page whose visitor is signed in. */
  async function passOf({ cookie: session }: TestBrowser): Promise<Record<string, string>> {
    const pass = await fetchPageToken(api);
    return { ...pass, cookie: `${pass.cookie}; ${session}` };
  }

  it('until a client that reads nothing times out', async () => {
    const request = await fetchLinkRequest(api, `${target.origin}/photo.jpg`);
    const { body } = await passLinkOn(api.ctx, request, { stallMs: 1 });
    await expect(body?.getReader().closed).rejects.toThrow('read nothing');
  });
});
