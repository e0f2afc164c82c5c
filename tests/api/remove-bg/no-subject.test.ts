import { afterEach, expect, it } from 'vitest';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const opened: TestApi[] = [];
/** Starts a service of the test's own: a second attempt finds no failures of the first. */
async function start(env: Record<string, string>) {
  const api = await startApi(env, '5');
  opened.push(api);
  await api.startRunner();
  return { api, plain: `${api.files.url}/photo.png`, subject: `${api.files.url}/subject.png` };
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.close()));
});

it('an empty cutout is a success that costs nothing and says so, alone and in a batch', async () => {
  const { api, plain, subject } = await start({ RATE_LIMIT_BURST: '1000' });
  const spent = async () => 5_000_000n - (await readBalance(api.ctx.db, api.accountId)).balance;
  const { status, body } = await api.removeBg({ image_url: plain });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'success', subjects_detected: 0, cached: false });
  expect(body.warnings[0]).toMatch(/^no_subject: /);
  const { body: job } = await api.status(body.request_id);
  expect(job).toMatchObject({ status: 'COMPLETED', billing: { held_usd: '0.00', charged_usd: '0.00' } });
  const receipt = JSON.parse(Buffer.from(job.receipt.split('.')[1], 'base64url').toString());
  expect(receipt.charged_usd).toBe('0.00');
  expect(await spent()).toBe(0n);

  const items = [{ image_url: plain, background: '#fff' }, { image_url: subject }];
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
}, 120_000);

it('an empty cutout counts as a failure', async () => {
  // A run of any length counts as one failure at least, and the budget holds one.
  const { api, plain, subject } = await start({ RATE_LIMIT_BURST: '1000', FAILURES_PER_HOUR: '1' });
  expect(await api.removeBg({ image_url: plain })).toMatchObject({ status: 200 });
  const refused = await api.removeBg({ image_url: subject, background: '#000' });
  expect(refused).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('failed by their inputs') },
  });
}, 120_000);
