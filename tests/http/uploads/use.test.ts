import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../../../server/accounts/index.ts';
import { schema } from '../../../server/db.ts';
import { issueKey } from '../../../server/keys/index.ts';
import { balance } from '../../../server/wallet/index.ts';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let photo: Buffer<ArrayBuffer>;
beforeEach(async () => {
  // No network may be reached: what is taken from an upload is not fetched.
  api = await startApi({ FETCH_ALLOW_NETWORKS: '' });
  photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
});
afterEach(() => api.close());

const uploadPhoto = async (): Promise<string> => (await api.upload(photo)).body.upload_url;
const waiting = () => api.ctx.db.$count(schema.uploads);
const jobs = () => api.ctx.db.$count(schema.jobs);
const refusal = {
  error: 'Bad Request',
  message: expect.stringMatching(/^image_url: no such upload is waiting .*POST \/api\/uploads again/),
};

describe('an upload_url in place of an input URL', () => {
  it('becomes the input of the job without being fetched, at the same price', async () => {
    const url = await uploadPhoto();
    const answer = await api.convert({ image_url: url, to_format: 'webp' });
    expect(answer.status).toBe(202);
    const [file] = await api.ctx.db
      .select()
      .from(schema.files)
      .where(eq(schema.files.jobId, answer.body.request_id));
    expect(file).toMatchObject({ role: 'input', bytes: photo.length });
    expect(await buffer((await api.ctx.storage.get(file?.key ?? '')).stream)).toEqual(photo);
    expect(await waiting()).toBe(0);
    expect((await balance(api.ctx.db, api.accountId)).held).toBe(2_000n);
  });

  it('is used once: the second request is 400', async () => {
    const url = await uploadPhoto();
    await api.convert({ image_url: url, to_format: 'webp' });
    const again = await api.convert({ image_url: url, to_format: 'webp' });
    expect(again.status).toBe(400);
    expect(again.body).toEqual(refusal);
    expect(await jobs()).toBe(1);
  });

  it('is used once by ten requests at once: one job, nine 400, one price', async () => {
    const url = await uploadPhoto();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.convert({ image_url: url, to_format: 'webp' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(400)]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual(refusal);
    expect(await jobs()).toBe(1);
    expect((await balance(api.ctx.db, api.accountId)).held).toBe(2_000n);
  });

  it('is answered the same again under one Idempotency-Key', async () => {
    const body = { image_url: await uploadPhoto(), to_format: 'webp' };
    const first = await api.convert(body, { 'idempotency-key': 'once' });
    const second = await api.convert(body, { 'idempotency-key': 'once' });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
  });

  it('is not used up by a request with wrong params', async () => {
    const url = await uploadPhoto();
    expect((await api.convert({ image_url: url, to_format: 'psd' })).status).toBe(400);
    expect((await api.convert({ image_url: url, to_format: 'webp' })).status).toBe(202);
  });

  it('is not used up by a request that the wallet does not cover', async () => {
    await api.close();
    api = await startApi({}, '0.001');
    const url = await uploadPhoto();
    expect((await api.convert({ image_url: url, to_format: 'webp' })).status).toBe(402);
    expect(await waiting()).toBe(1);
    const object = `inputs/uploads/${url.split('/').at(-1)}/input`;
    expect(existsSync(join(api.ctx.env.DATA_DIR, 'storage', object))).toBe(true);
  });

  it('is refused by its bytes like any other file', async () => {
    const { body } = await api.upload(Buffer.from('not an image'));
    const answer = await api.convert({ image_url: body.upload_url, to_format: 'webp' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^image_url: /);
    expect(await waiting()).toBe(1);
  });

  it('is refused to another account as if it were not there, and stays for its own', async () => {
    const url = await uploadPhoto();
    const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    const body = { image_url: url, to_format: 'webp' };
    const answer = await api.convert(body, { 'ocp-apim-subscription-key': apiKey });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refusal);
    expect((await api.convert(body)).status).toBe(202);
  });

  it('is refused once its time is up', async () => {
    const url = await uploadPhoto();
    await api.ctx.db.update(schema.uploads).set({ expiresAt: new Date(Date.now() - 1) });
    const answer = await api.convert({ image_url: url, to_format: 'webp' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refusal);
  });

  it.each(['unknown', '../../inputs', 'a/b', ''])(
    'is refused when no upload is called "%s"',
    async (token) => {
      const url = `http://localhost:3000/api/uploads/${token}`;
      const answer = await api.convert({ image_url: url, to_format: 'webp' });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(refusal);
    },
  );
});
