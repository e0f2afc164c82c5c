import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance, topUp } from '../../../server/money/wallet/index.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { forgetResults } from '../../support/service/forget-results.ts';

let api: TestApi;
let before: { readonly jobs: number; readonly balance: bigint };
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
beforeEach(async () => {
  await forgetResults(api.ctx.db);
  before = await state();
});
afterAll(() => api.close());

const url = () => `${api.files.url}/subject.png`;
const sky = () => `${api.files.url}/sky.png`;
const state = async () => ({
  jobs: await api.ctx.db.$count(schema.jobs),
  balance: (await readBalance(api.ctx.db, api.accountId)).balance,
});
/** Jobs of the test so far, and what they have cost. */
const jobs = async () => (await state()).jobs - before.jobs;
const spent = async () => before.balance - (await state()).balance;

describe('POST /v1/remove-bg a second time within 24 hours', () => {
  it('returns the same result at no charge for the same bytes, sent in any way', async () => {
    const first = await api.removeBg({ image_url: url() });
    expect(first.body.cached).toBe(false);
    const image_b64 = (await drawRedBall()).toString('base64');
    const upload = await api.upload(new Uint8Array(await drawRedBall()));
    for (const body of [
      { image_url: url(), subject: 'all', engine: 'auto' },
      { image_b64 },
      { image_url: upload.body.upload_url },
    ]) {
      const again = await api.removeBg(body);
      expect(again).toMatchObject({ status: 200, body: { ...first.body, cached: true } });
    }
    expect([await jobs(), await spent()]).toEqual([1, 10_000n]);
  });

  it('processes other params, another background, and no-cache requests again', {
    tags: ['long'],
  }, async () => {
    const first = await api.removeBg({ image_url: url(), background: sky() });
    expect((await api.removeBg({ image_url: url(), background: sky() })).body.cached).toBe(true);
    for (const [body, headers] of [
      [{ image_url: url(), background: url() }, {}],
      [{ image_url: url(), background: sky(), subject: 'primary' }, {}],
      [{ image_url: url(), background: sky() }, { 'cache-control': 'no-cache' }],
    ] as const) {
      const answer = await api.removeBg(body, headers);
      expect(answer).toMatchObject({ status: 200, body: { cached: false } });
      expect(answer.body.output_url).not.toBe(first.body.output_url);
    }
    expect([await jobs(), await spent()]).toEqual([4, 40_000n]);
  });

  it.each([
    ['is about to expire', { expiresAt: new Date(Date.now() + 60_000) }],
    ['is gone', { deletedAt: new Date() }],
  ])('processes the image again when the result %s', { tags: ['long'] }, async (_name, change) => {
    await api.removeBg({ image_url: url() });
    await api.ctx.db.update(schema.files).set(change);
    expect((await api.removeBg({ image_url: url() })).body.cached).toBe(false);
    expect(await jobs()).toBe(2);
  });

  it('processes the image again after 24 hours', { tags: ['long'] }, async () => {
    await api.removeBg({ image_url: url() });
    await api.ctx.db.update(schema.jobs).set({ completedAt: new Date(Date.now() - 25 * 3_600_000) });
    expect((await api.removeBg({ image_url: url() })).body.cached).toBe(false);
  });

  it('never returns the result of another account', async () => {
    await api.removeBg({ image_url: url() });
    const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
    await topUp(api.ctx.db, { accountId, amount: 20_000n, idempotencyKey: 'other', reference: 'test' });
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    const answer = await api.removeBg({ image_url: url() }, { authorization: `Bearer ${apiKey}` });
    expect(answer).toMatchObject({ status: 200, body: { cached: false } });
    const again = await api.removeBg({ image_url: url() }, { authorization: `Bearer ${apiKey}` });
    expect(again).toMatchObject({ status: 200, body: { cached: true, request_id: answer.body.request_id } });
    expect((await readBalance(api.ctx.db, accountId)).balance).toBe(10_000n);
  });
});
