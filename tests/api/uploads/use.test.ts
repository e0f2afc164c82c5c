import { existsSync } from 'node:fs';
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
const waiting = () => api.ctx.db.$count(schema.uploads);
const jobs = () => api.ctx.db.$count(schema.jobs);
const refusal = problemBody(
  'Bad Request',
  expect.stringMatching(/^image_url: this account has no such unused upload: .*POST \/api\/uploads again/),
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
    expect(await waiting()).toBe(0);
    expect((await readBalance(api.ctx.db, api.accountId)).held).toBe(2_000n);
  });

  it('is used once: the second request returns 400', async () => {
    const url = await uploadPhoto();
    await api.convert({ image_url: url, to_format: 'webp' });
    const again = await api.convert({ image_url: url, to_format: 'webp' });
    expect(again.status).toBe(400);
    expect(again.body).toEqual(refusal);
    expect(await jobs()).toBe(1);
  });

  it('is used once by ten concurrent requests: one job, nine responses with 400, one hold', async () => {
    const url = await uploadPhoto();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => api.convert({ image_url: url, to_format: 'webp' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(400)]);
    expect(responses.find(({ status }) => status === 400)?.body).toEqual(refusal);
    expect(await jobs()).toBe(1);
    expect((await readBalance(api.ctx.db, api.accountId)).held).toBe(2_000n);
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
    expect(await waiting()).toBe(1);
    const object = `inputs/uploads/${url.split('/').at(-1)}/input`;
    expect(existsSync(join(api.ctx.env.DATA_DIR, 'storage', object))).toBe(true);
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
