import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink, fetchPageToken } from '../../support/service/fetch-link.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('POST /fetch returns 403', () => {
  it.each(['cross-site', 'same-site', 'none', ''])(
    'to a request from outside our pages: Sec-Fetch-Site %j',
    async (site) => {
      const response = await fetchLink(api, api.imageUrl, { 'sec-fetch-site': site });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: 'Forbidden' });
      expect(api.files.hits.size).toBe(0);
    },
  );

  it('to a request that claims to come from our pages, without their token', async () => {
    const without = await fetchLink(api, api.imageUrl, { 'x-fetch-token': '' });
    expect(without.status).toBe(403);
    expect(await without.json()).toMatchObject({
      error: 'Forbidden',
      code: 'forbidden',
      field: 'X-Fetch-Token',
      message:
        'X-Fetch-Token: is missing or has expired. Reload the page and allow its cookie, then try again.',
    });
    expect(api.files.hits.size).toBe(0);
  });

  it('to the token of another session, an expired one and an invented one', async () => {
    const [one, other] = [await fetchPageToken(api), await fetchPageToken(api)];
    const [, signature] = (one['x-fetch-token'] ?? '').split('.');
    const soon = Math.floor(Date.now() / 1000) + 60;
    for (const headers of [
      { ...one, cookie: other.cookie ?? '' },
      { ...one, cookie: '' },
      { ...one, 'x-fetch-token': `${soon}.${signature}` },
      { ...one, 'x-fetch-token': `1.${signature}` },
      { ...one, 'x-fetch-token': `${soon}.${'A'.repeat(43)}` },
    ]) {
      expect((await fetchLink(api, api.imageUrl, headers)).status).toBe(403);
    }
    expect(api.files.hits.size).toBe(0);
    expect((await fetchLink(api, api.imageUrl, one)).status).toBe(200);
  });
});

describe('POST /fetch/token', () => {
  it('returns 403 to other sites', async () => {
    expect(await fetchPageToken(api, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ cookie: '' });
  });

  it('keeps the session of a page, in a cookie that neither scripts nor other sites can use', async () => {
    const { cookie = '' } = await fetchPageToken(api);
    const again = await handleApi(
      api.ctx,
      new Request(`${api.ctx.env.PUBLIC_URL}/api/fetch/token`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', cookie: `theme=dark; ${cookie}` },
      }),
    );
    expect(again.headers.get('set-cookie')).toBe(
      `${cookie}; Path=/api/fetch; Max-Age=86400; HttpOnly; SameSite=Strict`,
    );
  });
});
