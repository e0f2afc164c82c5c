import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeFetchPlace } from '../../../server/http/fetch-places.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { fetchLink } from '../../support/fetch-link.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('POST /fetch returns 503 while 128 links are being fetched, until one of them ends', async () => {
  const places = Array.from({ length: 128 }, (_, number) =>
    takeFetchPlace(`owner ${number}`, `site ${number}`),
  );
  const refused = await fetchLink(api, api.imageUrl);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  places[0]?.leave();
  expect((await fetchLink(api, api.imageUrl)).status).toBe(200);
  for (const place of places) place.leave();
});

it('one IPv6 site has 32 of the places, however many networks it has', () => {
  const places = Array.from({ length: 32 }, (_, number) => takeFetchPlace(`owner ${number}`, 'site'));
  expect(() => takeFetchPlace('owner 32', 'site')).toThrow('At most 32 links');
  takeFetchPlace('owner 32', 'other site').leave();
  for (const place of places) place.leave();
});
