import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { passLinkOn } from '../../../server/api/routes/fetch-link.ts';
import { CLIENT_ADDRESS } from '../../../server/api/transport/client-address.ts';
import { acquireLinkAllowance } from '../../../server/api/transport/link-allowance.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { fetchLink, fetchLinkRequest } from '../../support/service/fetch-link.ts';

let api: TestApi;
let target: HttpTarget;
beforeAll(async () => {
  const create = { width: 8, height: 6, channels: 3, background: 'red' } as const;
  const image = Buffer.concat([await sharp({ create }).jpeg().toBuffer(), randomBytes(1_000_000)]);
  api = await startApi();
  target = await startHttpTarget((_request, response) => response.end(image));
});
afterAll(async () => {
  await target.stop();
  await api.close();
});

it('a visitor who does not read a link keeps no place from the links of others', async () => {
  const others = Array.from({ length: 127 }, (_, index) =>
    acquireLinkAllowance(`owner ${index}`, `site ${index}`),
  );
  const unread = await fetchLink(api, `${target.origin}/photo.jpg`, { [CLIENT_ADDRESS]: '198.51.100.1' });
  expect(unread.status).toBe(200);
  const next = await fetchLink(api, api.imageUrl, { [CLIENT_ADDRESS]: '198.51.100.2' });
  expect(next.status).toBe(200);
  for (const place of others) place.release();
  await Promise.all([unread.body?.cancel(), next.body?.cancel()]);
});

it('but the link counts as one of the eight of its address until it is read', () => {
  const places = Array.from({ length: 8 }, () => acquireLinkAllowance('owner', 'site'));
  for (const place of places) place.endFetch();
  expect(() => acquireLinkAllowance('owner', 'site')).toThrow('At most 8 links');
  places[0]?.release();
  acquireLinkAllowance('owner', 'site').release();
  for (const place of places) place.release();
});

it('files that wait to be read are bounded too', () => {
  const places = Array.from({ length: 513 }, (_, index) => {
    const place = acquireLinkAllowance(`owner ${index}`, `site ${index}`);
    if (index < 512) place.endFetch();
    return place;
  });
  expect(() => places[512]?.endFetch()).toThrow('Too many links are being read');
  places[0]?.release();
  places[512]?.endFetch();
  for (const place of places) place.release();
});

it('and so are the bytes of all links, from their arrival until their places are released', () => {
  const [first, second] = ['one', 'two'].map((owner) => acquireLinkAllowance(owner, owner, 1_000_000));
  first?.count(600_000);
  first?.endFetch();
  expect(() => second?.count(600_000)).toThrow('The links of all visitors are too large');
  first?.release();
  second?.count(600_000);
  second?.release();
});

it('a link beyond the bytes of all links gets 503', async () => {
  const place = acquireLinkAllowance('owner', 'site');
  place.count(49_500_000);
  const small = { ...api, ctx: { ...api.ctx, env: { ...api.ctx.env, LINKS_MB: 50 } } };
  const response = await fetchLink(small, `${target.origin}/photo.jpg`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('too large now') });
  place.release();
});

it('a link that is read slowly is closed when its time is over', async () => {
  const request = await fetchLinkRequest(api, `${target.origin}/photo.jpg`);
  const response = await passLinkOn(api.ctx, request, { readMs: 200 });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await expect(reader?.closed).rejects.toThrow('The time is over.');
});
