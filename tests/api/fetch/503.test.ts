import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLinkAllowance } from '../../../server/api/transport/link-allowance.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink } from '../../support/service/fetch-link.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('POST /fetch returns 503 while 128 links are being fetched, until one of them ends', async () => {
  const places = Array.from({ length: 128 }, (_, number) =>
    acquireLinkAllowance(`owner ${number}`, `site ${number}`),
  );
  const refused = await fetchLink(api, api.imageUrl);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  places[0]?.release();
  expect((await fetchLink(api, api.imageUrl)).status).toBe(200);
  for (const place of places) place.release();
});

it('one IPv6 site has 32 of the places, however many networks it has', () => {
  const places = Array.from({ length: 32 }, (_, number) => acquireLinkAllowance(`owner ${number}`, 'site'));
  expect(() => acquireLinkAllowance('owner 32', 'site')).toThrow('At most 32 links');
  acquireLinkAllowance('owner 32', 'other site').release();
  for (const place of places) place.release();
});
