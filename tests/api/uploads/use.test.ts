import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance, topUp } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
let photo: Buffer<ArrayBuffer>;
beforeEach(async () => {
  // No address may be fetched from: an upload needs no fetch.
  api = await startApi({ FETCH_ALLOW_NETWORKS: '' });
  photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
});
afterEach(() => api.close());

const uploadPhoto = async (): Promise<string> => (await api.upload(photo)).body.upload_url;
const getObject = (url: string) =>
  join(api.ctx.env.DATA_DIR, 'storage/inputs/uploads', url.split('/').at(-1) ?? '', 'input');
const waiting = () => api.ctx.db.$count(schema.uploads);
const jobs = () => api.ctx.db.$count(schema.jobs);
const refusal = problemBody(
  'Bad Request',
  expect.stringMatching(
    /^image_url: there is no such upload, or it has expired\. .*POST \/api\/uploads again/,
  ),
);

describe('an upload_url as input URL', () => {
  it('becomes the input of the job without a fetch, at the same price', async () => {
    const url = await uploadPhoto();
    const response = await api.convert({ image_url: url, to_format: 'webp' });
    expect(response.status).toBe(202);
    const [file] = await api.ctx.db
      .select()
      .from(schema.files)
      .where(eq(schema.files.jobId, response.body.request_id));
    expect(file).toMatchObject({ role: 'input', bytes: photo.length });
    expect(await buffer((await api.ctx.storage.get(file?.key ?? '')).stream)).toEqual(photo);
    expect((await readBalance(api.ctx.db, api.accountId)).held).toBe(2_000n);
  });

  it('serves any number of requests, one after the other and at once, and stores its bytes once', async () => {
    const url = await uploadPhoto();
    const body = { image_url: url, to_format: 'webp' };
    expect((await api.convert(body)).status).toBe(202);
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.convert(body)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect([await jobs(), await waiting()]).toEqual([11, 1]);
    const { nlink } = await stat(getObject(url));
    expect(nlink).toBe(12);
  });

  it('serves several items of a batch', async () => {
    const url = await uploadPhoto();
    const items = [
      { image_url: url, to_format: 'webp' },
      { image_url: url, to_format: 'png' },
    ];
    const { body } = await api.post('/media-tools/v1/image-convert/batch', { items });
    const files = await api.ctx.db.select().from(schema.files).where(eq(schema.files.jobId, body.request_id));
    expect(files).toMatchObject([{ bytes: photo.length }, { bytes: photo.length }]);
  });

  it('leaves its jobs their bytes when it is deleted', async () => {
    const url = await uploadPhoto();
    const { request_id } = (await api.convert({ image_url: url, to_format: 'webp' })).body;
    const headers = { 'ocp-apim-subscription-key': api.apiKey };
    const remove = () => api.call('DELETE', new URL(url).pathname, { headers });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    const refused = await api.convert({ image_url: url, to_format: 'webp' });
    expect([refused.status, refused.body]).toEqual([400, refusal]);
    expect((await api.call('GET', '/api/uploads', { headers })).body).toEqual({
      uploads: [],
      next_cursor: null,
    });
    await api.startRunner();
    expect(await api.ended(request_id)).toMatchObject({ status: 'COMPLETED' });
    const inputs = join(api.ctx.env.DATA_DIR, 'storage', 'inputs');
    await expect.poll(() => readdir(inputs).catch(() => [])).toEqual([]);
  });

  it('replays the response under the same Idempotency-Key', async () => {
    const body = { image_url: await uploadPhoto(), to_format: 'webp' };
    const first = await api.convert(body, { 'idempotency-key': 'once' });
    const second = await api.convert(body, { 'idempotency-key': 'once' });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
  });

  it('is not used up by a request with invalid params', async () => {
    const url = await uploadPhoto();
    expect((await api.convert({ image_url: url, to_format: 'psd' })).status).toBe(400);
    expect((await api.convert({ image_url: url, to_format: 'webp' })).status).toBe(202);
  });

  it('is not used up by a request that returns 402', async () => {
    await api.close();
    api = await startApi({}, '0.002');
    const used = await uploadPhoto();
    const url = await uploadPhoto();
    expect((await api.convert({ image_url: used, to_format: 'webp' })).status).toBe(202);
    expect((await api.convert({ image_url: url, to_format: 'webp' })).status).toBe(402);
    expect(await waiting()).toBe(2);
    expect(existsSync(getObject(url))).toBe(true);
  });

  it('returns 400 when its bytes are not an image', async () => {
    const { body } = await api.upload(Buffer.from('not an image'));
    const response = await api.convert({ image_url: body.upload_url, to_format: 'webp' });
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/^image_url: /);
    expect(await waiting()).toBe(1);
  });

  it('returns 400 to another account as if unknown, and remains usable for its own', async () => {
    const url = await uploadPhoto();
    const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
    await topUp(api.ctx.db, { accountId, amount: 2_000n, idempotencyKey: 'other', reference: 'test' });
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    const body = { image_url: url, to_format: 'webp' };
    const response = await api.convert(body, { 'ocp-apim-subscription-key': apiKey });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
    expect((await api.convert(body)).status).toBe(202);
  });

  it('returns 400 after it has expired', async () => {
    const url = await uploadPhoto();
    await api.ctx.db.update(schema.uploads).set({ expiresAt: new Date(Date.now() - 1) });
    const response = await api.convert({ image_url: url, to_format: 'webp' });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
  });

  it.each(['unknown', '../../inputs', 'a/b', ''])('returns 400 for the unknown token "%s"', async (token) => {
    const url = `http://localhost:3000/api/uploads/${token}`;
    const response = await api.convert({ image_url: url, to_format: 'webp' });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
  });
});
