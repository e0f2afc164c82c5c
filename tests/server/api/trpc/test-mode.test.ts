import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_MODE_COOKIE } from '../../../../models/test-mode/test-mode-cookie.ts';
import { isInTestMode } from '../../../../server/api/trpc/account-state.ts';
import { appRouter } from '../../../../server/api/trpc/router.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function openBoth() {
  const { accountId, email, call: live } = await openDashboard(api, 'modes@example.com');
  const visitor = {
    userId: '',
    accountId,
    role: 'owner',
    sessionId: randomUUID(),
    name: 'Ada',
    email,
  } as const;
  const [user] = await api.ctx.db.select().from(schema.users);
  const headers = new Headers({ cookie: `a=b; ${TEST_MODE_COOKIE}=test` });
  const test = appRouter.createCaller({
    ctx: api.ctx,
    visitor: { ...visitor, userId: user?.id ?? '' },
    headers,
  });
  return { live, test };
}

it('a browser that shows test data sees and makes keys and jobs of tests, with the same wallet and secret', async () => {
  const { live, test } = await openBoth();
  const { apiKey } = await test.keys.create({ name: 'for tests' });
  expect(apiKey).toMatch(/^mk_test_/);
  expect((await live.keys.create({ name: 'live' })).apiKey).not.toMatch(/^mk_test_/);
  expect((await test.keys.list()).map(({ name }) => name)).toEqual(['for tests']);
  expect((await live.keys.list()).map(({ name }) => name)).toEqual(['live']);
  const headers = { 'ocp-apim-subscription-key': apiKey };
  const body = { image_url: api.imageUrl, to_format: 'webp' };
  const job = await api.call('POST', '/api/media-tools/v1/image-convert', { body, headers });
  const id = job.body.request_id;
  expect((await test.jobs.list({})).jobs.map((each) => each.id)).toEqual([id]);
  expect((await live.jobs.list({})).jobs).toEqual([]);
  await expect(live.jobs.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await test.jobs.cancel({ id });
  expect(await test.jobs.get({ id })).toMatchObject({ status: 'FAILED', rerun: { priceUsd: '0.00' } });
  const again = await test.jobs.runAgain({ id, priceUsd: '0.00', idempotencyKey: randomUUID() });
  expect((await test.jobs.get({ id: again.id })).status).toBe('QUEUED');
  expect(await test.wallet.summary()).toEqual(await live.wallet.summary());
  expect(await test.webhooks.secrets()).toEqual(await live.webhooks.secrets());
});

it.each([
  [`${TEST_MODE_COOKIE}=test`, true],
  [`x=1;${TEST_MODE_COOKIE}=test;y=2`, true],
  [`${TEST_MODE_COOKIE}=live`, false],
  [`x${TEST_MODE_COOKIE}=test`, false],
])('the cookie %j shows test data: %j', (cookie, isTest) => {
  expect(isInTestMode(new Headers({ cookie }))).toBe(isTest);
});
