import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueKey, rotateKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

type Headers = Record<string, string>;
const keyHeaders = (apiKey: string): Headers => ({ 'ocp-apim-subscription-key': apiKey });
const list = (query = '', headers = keyHeaders(api.apiKey)) =>
  api.call('GET', `/api/uploads${query}`, { headers });
const getIds = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.uploads.map(({ upload_id }: { upload_id: string }) => upload_id);

it('GET /uploads lists pages, newest first, unfinished ones included, as OpenAPI says', async () => {
  const first = (await api.upload(Buffer.from('one'))).body;
  const second = (await api.post('/v2/uploads', { bytes: 5, name: 'film.mp4', expires_in_hours: 2 })).body;
  const page = await list('?limit=1');
  expect(page.status).toBe(200);
  expect((await createConformanceCheck(api))('GET', '/uploads', page)).toEqual([]);
  expect(page.body).toEqual({ uploads: [second], next_cursor: expect.any(String) });
  expect(second).not.toHaveProperty('sha256');
  const rest = await list(`?limit=1&cursor=${page.body.next_cursor}`);
  expect(rest.body).toEqual({ uploads: [first], next_cursor: null });
});

it.each(['limit=0', 'limit=101', 'limit=0x10', 'limit=1e1', 'limit=', 'cursor=x', 'page=2'])(
  'GET /uploads?%s returns 400',
  async (query) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.field]).toEqual([400, query.split('=')[0]]);
  },
);

it('a key with limits sees, uses and deletes its own uploads and those of the key that it replaces', async () => {
  const operations = ['media-convert-image'];
  const former = await issueKey(api.ctx.db, { accountId: api.accountId, name: 'limited', operations });
  const photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
  const mine = (await api.upload(photo, keyHeaders(former.apiKey))).body;
  const foreign = (await api.upload(photo)).body;
  const { apiKey } = await api.ctx.db.transaction((tx) =>
    rotateKey(tx, { accountId: api.accountId, keyId: former.keyId }, 1),
  );
  const headers = keyHeaders(apiKey);
  expect(getIds(await list('', headers))).toEqual([mine.upload_id]);
  expect(getIds(await list())).toContain(mine.upload_id);
  const convert = (image_url: string) => api.convert({ image_url, to_format: 'webp' }, headers);
  expect((await convert(mine.upload_url)).status).toBe(202);
  expect(await convert(foreign.upload_url)).toMatchObject({ status: 400, body: { code: 'unfetchable' } });
  const remove = (id: string) => api.call('DELETE', `/api/uploads/${id}`, { headers });
  expect((await remove(foreign.upload_id)).status).toBe(404);
  expect((await remove(mine.upload_id)).status).toBe(204);
});
