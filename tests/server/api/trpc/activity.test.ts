import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { exportAccount } from '../../../../server/api/account/export-account.ts';
import { schema } from '../../../../server/base/database/db.ts';
import {
  listAuditEvents,
  openAccount,
  purgeAuditEvents,
  recordAuditEvent,
} from '../../../../server/identity/accounts/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';
import { openSignedInBrowser } from '../../../support/service/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

const getActions = async (accountId: string) =>
  (await listAuditEvents(api.ctx.db, { accountId, limit: 100 })).events.map(({ action }) => action);

const readExport = async (accountId: string) => {
  let text = '';
  for await (const piece of exportAccount(api.ctx, accountId)) text += piece;
  return text;
};

test('account.activity lists what was changed, by whom, without secrets, and nothing of another account', async () => {
  const owner = await openDashboard(api, 'active@example.com');
  const stranger = await openDashboard(api, 'stranger@example.com');
  const { apiKey } = await owner.call.keys.create({ name: 'shop' });
  await owner.call.keys.list();
  await expect(owner.call.jobs.cancel({ id: 'nothing' })).rejects.toThrow();
  const { events, next } = await owner.call.account.activity({});
  expect(events).toMatchObject([{ action: 'keys.create', subject: 'shop', person: 'Ada' }]);
  expect([next, JSON.stringify(events).includes(apiKey)]).toEqual([null, false]);
  expect((await stranger.call.account.activity({})).events).toEqual([]);
});

test('the activity and its export name a receiver without the token in its URL', async () => {
  const { call, accountId } = await openDashboard(api, 'receiver@example.com');
  const url = 'http://127.0.0.1:9/services/T0000/abcdefghij0123456789';
  await call.webhooks.sendTest({ url });
  await recordAuditEvent(api.ctx.db, { accountId, userId: null, action: 'earlier', subject: url });
  const shown = 'http://127.0.0.1:9/services/T0000/[redacted]';
  const { events } = await listAuditEvents(api.ctx.db, { accountId, limit: 10 });
  expect(events.map(({ subject }) => subject)).toEqual([url, shown]);
  const { activity } = JSON.parse(await readExport(accountId));
  expect(activity).toMatchObject([{ subject: shown }, { subject: shown }]);
});

test('account.activity goes on where a page ended', async () => {
  const { call, accountId } = await openDashboard(api, 'pages@example.com');
  for (const action of ['one', 'two', 'three'])
    await recordAuditEvent(api.ctx.db, { accountId, userId: null, action });
  const first = await call.account.activity({ limit: 2 });
  expect(first.events.map(({ action }) => action)).toEqual(['three', 'two']);
  const second = await call.account.activity({ limit: 2, cursor: first.next });
  expect([second.events.map(({ action }) => action), second.next]).toEqual([['one'], null]);
  await expect(call.account.activity({ cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a sign-in and a sign-out are recorded with the address, a refused one is not', async () => {
  const { accountId } = await openAccount(api.ctx.db, 'visitor@example.com');
  const browser = await openSignedInBrowser(api, { accountId, email: 'visitor@example.com' });
  expect((await browser.signIn('visitor@example.com', 'wrong password')).status).toBe(401);
  await browser.post('/sign-out', {});
  const { events } = await listAuditEvents(api.ctx.db, { accountId, limit: 10 });
  expect(events.map(({ action, address }) => [action, address])).toEqual([
    ['sign-out', browser.address],
    ['sign-in', browser.address],
  ]);
});

test('the export holds the activity, and it goes with the account', async () => {
  const { call, accountId } = await openDashboard(api, 'leaver@example.com');
  await call.keys.create({ name: 'gone' });
  expect(JSON.parse(await readExport(accountId)).activity).toMatchObject([
    { action: 'keys.create', subject: 'gone' },
  ]);
  await deleteAccount(api.ctx, accountId);
  expect(await getActions(accountId)).toEqual([]);
});

test('activity is deleted after a year', async () => {
  const { accountId } = await openDashboard(api, 'old@example.com');
  await recordAuditEvent(api.ctx.db, { accountId, userId: null, action: 'old' });
  await api.ctx.db
    .update(schema.auditEvents)
    .set({ createdAt: sql`now() - interval '366 days'` })
    .where(eq(schema.auditEvents.accountId, accountId));
  await recordAuditEvent(api.ctx.db, { accountId, userId: null, action: 'new' });
  expect(await purgeAuditEvents(api.ctx)).toBe(1);
  expect(await getActions(accountId)).toEqual(['new']);
});
