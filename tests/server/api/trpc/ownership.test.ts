import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleCalls } from '../../../../server/api/trpc/handle-calls.ts';
import { appRouter } from '../../../../server/api/trpc/router.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { openRequestLog } from '../../../../server/identity/request-log/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';
import { TestBrowser } from '../../../support/service/sign-in.ts';

let api: TestApi;
let jobId: string;
let keyId: string;
let deliveryId: string;
let accountId: string;
let ownerId: string;
let invitationId: string;
let requestId: string;
let tokenId: string;
let uploadId: string;
let stranger: Awaited<ReturnType<typeof openDashboard>>['call'];
beforeAll(async () => {
  api = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
  const owner = await openDashboard(api, 'trpc-owner@example.com');
  ({ accountId } = owner);
  ({ userId: ownerId } = await owner.call.account.me());
  await owner.call.team.invite({ email: 'invited@example.com', role: 'developer' });
  invitationId = (await owner.call.team.list()).invitations[0]?.id ?? '';
  const made = await owner.call.keys.create({ name: 'own' });
  keyId = made.keyId;
  const headers = { authorization: `Bearer ${made.apiKey}` };
  const limits = { max_usd: '0.01', expires_in_seconds: 600 };
  tokenId = (await api.call('POST', '/api/v2/tokens', { headers, body: limits })).body.token_id;
  uploadId = (await api.call('POST', '/api/uploads', { headers, body: new Uint8Array(9) })).body.upload_id;
  const job = await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
  jobId = job.body.request_id;
  const [delivery] = await api.ctx.db
    .insert(schema.deliveries)
    .values({ accountId: owner.accountId, reference: jobId, url: 'http://127.0.0.1/', body: '{}' })
    .returning();
  deliveryId = delivery?.id ?? '';
  await openRequestLog(api.ctx).flush();
  const [logged] = await api.ctx.db.select().from(schema.loggedRequests);
  requestId = String(logged?.id);
  ({ call: stranger } = await openDashboard(api, 'stranger@example.com'));
});
afterAll(() => api.close());

/** Every procedure: those that take an id with the id of another account, and those that take none. */
const BY_ID = [
  'jobs.get',
  'jobs.cancel',
  'jobs.runAgain',
  'requests.get',
  'keys.rotate',
  'keys.revoke',
  'keys.endToken',
  'jobs.deleteUpload',
  'webhooks.resend',
  'team.changeRole',
  'team.remove',
  'team.resend',
  'team.revoke',
  'team.switch',
  'team.accept',
] as const;
const WITHOUT_ID = [
  ...[
    'account.activity',
    'account.actors',
    'account.delete',
    'account.me',
    'health.overview',
    'jobs.list',
    'jobs.previews',
    'jobs.uploads',
    'jobs.workers',
    'keys.create',
    'keys.list',
    'keys.tokens',
    'live.states',
    'requests.list',
  ],
  ...['spending.setCap', 'spending.setEventUrl', 'spending.settings'],
  ...['team.accounts', 'team.invite', 'team.leave', 'team.list'],
  ...['usage.spending', 'wallet.ledger', 'wallet.summary', 'wallet.testTopUp'],
  ...['payments.automatic', 'payments.checkout', 'payments.list', 'payments.stopAutomatic'],
  ...['webhooks.deliveries', 'webhooks.rotateSecret', 'webhooks.secrets', 'webhooks.sendTest'],
];

test('every procedure is named here, so that a new one is not forgotten', () => {
  expect(Object.keys(appRouter._def.procedures).toSorted()).toEqual([...BY_ID, ...WITHOUT_ID].toSorted());
});

test.each(BY_ID)('%s responds NOT_FOUND for what belongs to another account', async (name) => {
  const inputs = {
    'jobs.get': () => stranger.jobs.get({ id: jobId }),
    'jobs.cancel': () => stranger.jobs.cancel({ id: jobId }),
    'jobs.runAgain': () =>
      stranger.jobs.runAgain({ id: jobId, priceUsd: '0.002', idempotencyKey: randomUUID() }),
    'requests.get': () => stranger.requests.get({ id: requestId }),
    'keys.rotate': () => stranger.keys.rotate({ keyId }),
    'keys.revoke': () => stranger.keys.revoke({ keyId }),
    'keys.endToken': () => stranger.keys.endToken({ tokenId }),
    'jobs.deleteUpload': () => stranger.jobs.deleteUpload({ uploadId }),
    'webhooks.resend': () => stranger.webhooks.resend({ deliveryId }),
    'team.changeRole': () => stranger.team.changeRole({ userId: ownerId, role: 'billing' }),
    'team.remove': () => stranger.team.remove({ userId: ownerId }),
    'team.resend': () => stranger.team.resend({ id: invitationId }),
    'team.revoke': () => stranger.team.revoke({ id: invitationId }),
    'team.switch': () => stranger.team.switch({ accountId }),
    'team.accept': () => stranger.team.accept({ token: invitationId }),
  };
  await expect(inputs[name]()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('lists show nothing of another account', async () => {
  const shown = JSON.stringify([
    await stranger.jobs.list({}),
    await stranger.keys.list(),
    await stranger.keys.tokens(),
    await stranger.jobs.uploads({}),
    (await stranger.requests.list({})).requests.map(({ jobId }) => jobId),
    await stranger.webhooks.deliveries({}),
    (await stranger.wallet.ledger({})).entries.length,
    await stranger.usage.spending({ from: '2020-01-01', to: '2020-12-31' }),
  ]);
  for (const id of [jobId, keyId, deliveryId, tokenId, uploadId]) expect(shown).not.toContain(id);
});

test('health.overview responds FORBIDDEN to users who do not own the service', async () => {
  await expect(stranger.health.overview()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('no call without a session gets through', async () => {
  const caller = appRouter.createCaller({ ctx: api.ctx, visitor: null, headers: new Headers() });
  await expect(caller.wallet.summary()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  for (const name of [...BY_ID, ...WITHOUT_ID]) {
    const procedures: Readonly<Record<string, unknown>> = appRouter._def.procedures;
    const type = procedures[name] as { readonly _def: { readonly type: string } };
    if (type._def.type !== 'query') continue;
    const request = new Request(`http://localhost:3000/api/trpc/${name}`);
    expect((await handleCalls(api.ctx, request)).status, name).not.toBe(200);
  }
});

describe('a call over HTTP', () => {
  const send = async (browser: TestBrowser, path: string, init: RequestInit = {}, more = {}) => {
    const request = new Request(`http://localhost:3000/api/trpc/${path}`, {
      ...init,
      headers: browser.headers(more),
    });
    const response = await handleCalls(api.ctx, request);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  test('works with the session’s cookie, and not from another site', async () => {
    const local = await startApi({ EMBEDDED_DATABASE: '1' });
    try {
      const browser = new TestBrowser(local);
      await browser.signUp('web@example.com');
      await browser.signIn('web@example.com');
      const create = (more: object) => {
        const body = JSON.stringify({ name: 'from the web' });
        const request = new Request('http://localhost:3000/api/trpc/keys.create', {
          method: 'POST',
          body,
          headers: browser.headers({ ...more }),
        });
        return handleCalls(local.ctx, request);
      };
      expect((await create({})).status).toBe(200);
      expect((await create({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await create({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    } finally {
      await local.close();
    }
  });

  test('says nothing about our own faults', async () => {
    const { status, body } = await send(new TestBrowser(api), 'wallet.summary');
    expect(status).toBe(401);
    expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.ts/);
  });
});

test('unknown fields are rejected, not passed on', async () => {
  const given = { name: 'mass', accountId: randomUUID(), prefix: 'mk_mine' } as { name: string };
  await expect(stranger.keys.create(given)).rejects.toBeInstanceOf(TRPCError);
});
