import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
afterAll(() => api.close());

const step = (width: number) => ({ id: 'thumb', operation: 'convert', params: { to_format: 'png', width } });
const headers = (key = api.apiKey) => ({
  'ocp-apim-subscription-key': key,
  'content-type': 'application/json',
});
const put = (name: string, steps: object[], key?: string) =>
  api.call('PUT', `/v2/presets/${name}`, { body: { steps }, headers: headers(key) });
const get = (path: string) => api.call('GET', `/v2/presets${path}`, { headers: headers() });

it('PUT saves versions, GET reads them, DELETE ends them', async () => {
  expect((await put('shop', [step(6)])).body).toMatchObject({ name: 'shop', version: 1, outputs: ['thumb'] });
  const { status, body } = await put('shop', [step(3)]);
  expect([status, body.version, body.steps[0].params.width]).toEqual([200, 2, 3]);
  expect((await get('/shop')).body.version).toBe(2);
  expect((await get('/shop@1')).body.steps[0].params.width).toBe(6);
  expect((await get('')).body.presets).toMatchObject([{ name: 'shop', version: 2 }]);
  expect((await get('/shop%401')).body.version).toBe(1);
  for (const path of ['/other', '/%ZZ']) expect((await get(path)).status).toBe(404);

  // A request runs the newest version, or the one that it names, with its overrides.
  const send = async (request: object) => {
    const sent = await api.post('/v2/pipelines', { image_url: api.imageUrl, ...request });
    expect(sent.status).toBe(202);
    return await api.ended(sent.body.request_id);
  };
  const newest = await send({ preset: 'shop' });
  const first = await send({ preset: 'shop@1' });
  const overridden = await send({
    preset: 'shop',
    overrides: { thumb: { width: null, height: 2, to_format: 'webp' } },
  });
  const widths = [newest, first].map(({ output }) => output.files[0].width);
  expect(widths).toEqual([3, 6]);
  expect(overridden.output.files).toMatchObject([{ height: 2, media_type: 'image/webp' }]);
  expect(overridden.steps[0].params).not.toHaveProperty('width');

  const removed = await api.call('DELETE', '/v2/presets/shop', { headers: headers() });
  expect(removed.status).toBe(204);
  expect((await put('shop', [step(6)])).body.version).toBe(1);
});

it('a batch names a preset for all items', async () => {
  await put('small', [step(2)]);
  const { body } = await api.post('/v2/pipelines/batch', {
    preset: 'small',
    items: [
      { image_url: api.imageUrl },
      { image_url: api.imageUrl, preset: 'none' },
      { image_url: api.imageUrl, steps: [{ ...step(3), id: 'own' }] },
    ],
  });
  const { output } = await api.ended(body.request_id);
  expect(output.items).toMatchObject([
    { status: 'success', files: [{ width: 2 }] },
    { status: 'failed', field: 'items[1].preset' },
    { status: 'success', files: [{ width: 3 }] },
  ]);
});

it('a batch item’s own recipe is in the place of the shared one, with its overrides', async () => {
  const { body } = await api.post('/v2/pipelines/batch', {
    steps: [step(2)],
    overrides: { thumb: { width: 4 } },
    items: [
      { image_url: api.imageUrl },
      { image_url: api.imageUrl, steps: [{ ...step(3), id: 'own' }] },
      { image_url: api.imageUrl, preset: 'none' },
    ],
  });
  const { output } = await api.ended(body.request_id);
  expect(output.items).toMatchObject([
    { status: 'success', files: [{ width: 4 }] },
    { status: 'success', files: [{ width: 3 }] },
    { status: 'failed', field: 'items[2].preset', error: expect.stringContaining('no preset "none"') },
  ]);
});

it('saves at once make one version each, and the newest 100 are kept', async () => {
  const saved = await Promise.all([1, 2, 3, 4].map((width) => put('race', [step(width)])));
  expect(saved.map(({ body }) => body.version).toSorted()).toEqual([1, 2, 3, 4]);
  const { presets } = schema;
  await api.ctx.db
    .update(presets)
    .set({ version: 101 })
    .where(and(eq(presets.name, 'race'), eq(presets.version, 4)));
  expect((await put('race', [step(5)])).body.version).toBe(102);
  const statuses = await Promise.all([2, 3, 101].map(async (at) => (await get(`/race@${at}`)).status));
  expect(statuses).toEqual([404, 200, 200]);
});

it('PUT under the name of another account’s preset leaves that one as it is', async () => {
  await put('theirs', [step(6)]);
  const { accountId } = await openAccount(api.ctx.db, 'other-presets@example.com');
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
  expect((await put('theirs', [step(3)], apiKey)).body).toMatchObject({ version: 1 });
  const { body } = await get('/theirs');
  expect([body.version, body.steps[0].params.width]).toEqual([1, 6]);
});

it('400: a wrong step, a wrong name, and the 101st preset', async () => {
  expect((await put('bad', [step(0)])).body).toMatchObject({ field: 'steps[0].params.width' });
  expect((await put('Bad', [step(1)])).body).toMatchObject({ field: 'name' });
  const { presets } = (await get('')).body;
  for (let at = presets.length; at < 100; at++) expect((await put(`p${at}`, [step(1)])).status).toBe(200);
  const { status, body } = await put('one-more', [step(1)]);
  expect([status, body.message]).toEqual([400, expect.stringContaining('100')]);
});

it('403: a limited key runs presets, and does not change them; a step needs its own permission', async () => {
  const { accountId } = api;
  await api.call('DELETE', '/v2/presets/p99', { headers: headers() });
  await put('mine', [step(2)]);
  const { apiKey } = await issueKey(api.ctx.db, {
    accountId,
    name: 'limited',
    operations: ['media-convert-image'],
  });
  expect((await put('mine', [step(3)], apiKey)).status).toBe(403);
  const send = (body: object) =>
    api.call('POST', '/v2/pipelines', {
      body: { image_url: api.imageUrl, ...body },
      headers: headers(apiKey),
    });
  const sent = await send({ preset: 'mine' });
  expect(sent.status).toBe(202);
  // The key may change what it has sent.
  await api.ended(sent.body.request_id);
  const remove = (path: string) =>
    api.call('DELETE', `/v2/requests/${sent.body.request_id}${path}`, { headers: headers(apiKey) });
  expect([(await remove('')).status, (await remove('/output')).status]).toEqual([409, 204]);
  const { status, body } = await send({ steps: [{ id: 'a', operation: 'remove-bg' }] });
  expect([status, body.field]).toEqual([403, 'steps[0].operation']);
});
