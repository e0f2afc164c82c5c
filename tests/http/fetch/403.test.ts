import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { fetchLink } from '../../support/fetch-link.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('POST /fetch answers 403', () => {
  it.each(['cross-site', 'same-site', 'none', ''])('to whoever is no page of ours: %j', async (site) => {
    const response = await fetchLink(api, api.imageUrl, { 'sec-fetch-site': site });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: 'Forbidden' });
    expect(api.files.hits.size).toBe(0);
  });
});
