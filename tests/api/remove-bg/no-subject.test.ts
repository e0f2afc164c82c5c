import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000', FAILURES_PER_HOUR: '3' }, '5');
  await api.startRunner();
});
afterAll(() => api.close());

const plain = () => `${api.files.url}/photo.png`;
const subject = () => `${api.files.url}/subject.png`;
const spent = async () => 5_000_000n - (await readBalance(api.ctx.db, api.accountId)).balance;

it('an empty cutout is a success that costs nothing and says so, alone and in a batch, and counts as a failure', async () => {
  const { status, body } = await api.removeBg({ image_url: plain() });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'success', subjects_detected: 0, cached: false });
  expect(body.warnings[0]).toMatch(/^no_subject: /);
  const { body: job } = await api.status(body.request_id);
  expect(job).toMatchObject({ status: 'COMPLETED', billing: { held_usd: '0.00', charged_usd: '0.00' } });
  const receipt = JSON.parse(Buffer.from(job.receipt.split('.')[1], 'base64url').toString());
  expect(receipt.charged_usd).toBe('0.00');
  expect(await spent()).toBe(0n);

  const items = [{ image_url: plain(), background: '#fff' }, { image_url: subject() }];
  const batch = await api.ended((await api.removeBgBatch({ items })).body.request_id);
  expect(batch.billing.charged_usd).toBe('0.01');
  expect(batch.output.items).toMatchObject([
    {
      status: 'success',
      charged_usd: '0.00',
      warnings: [expect.stringMatching(/^no_subject: /)],
    },
    { status: 'success', charged_usd: '0.01' },
  ]);
  expect(await spent()).toBe(10_000n);
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });

  await api.removeBg({ image_url: plain(), background: '#000' });
  const refused = await api.removeBg({ image_url: subject(), background: '#000' });
  expect(refused).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('failed by their inputs') },
  });
}, 120_000);
