import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { setPassword } from '../../../../server/identity/auth/index.ts';
import { grantFreeCredit, listEntries, reconcileBalances } from '../../../../server/money/wallet/index.ts';
import { createMailLog } from '../../../support/servers/mail-log.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { CHEAP_HASHER } from '../../../support/service/cheap-hasher.ts';
import { writePricingFile } from '../../../support/service/pricing-file.ts';
import { TestBrowser } from '../../../support/service/sign-in.ts';

const { log, lines, linkFor } = createMailLog();

let api: TestApi;
beforeAll(async () => {
  const made = await startApi({ TERMS_FILE: await writePricingFile({ free_credit_usd: '0.75' }) });
  api = { ...made, ctx: { ...made.ctx, log } };
});
afterAll(() => api.close());

let lastAddress = 0;
const browser = () => new TestBrowser(api, `198.51.100.${++lastAddress}`);

/** Opens the link of the last mail to an address, and returns its status. */
async function openLink(page: TestBrowser, email: string): Promise<number> {
  const { pathname, search } = linkFor(email);
  return (await page.get(pathname.replace('/api/auth', '') + search)).status;
}

async function getAccount(email: string): Promise<string> {
  const { users } = schema;
  const [user] = await api.ctx.db.select().from(users).where(eq(users.email, email));
  return user?.accountId ?? '';
}

async function getCredits(accountId: string) {
  const { entries } = await listEntries(api.ctx.db, { accountId, limit: 100 });
  return entries.map(({ kind, amount }) => [kind, amount]);
}

test('free credit comes once the address is verified, not before, and not again', async () => {
  const page = browser();
  await page.signUp('ada@example.com');
  const accountId = await getAccount('ada@example.com');
  expect(await getCredits(accountId)).toEqual([]);
  await Promise.all([openLink(browser(), 'ada@example.com'), openLink(page, 'ada@example.com')]);
  await openLink(page, 'ada@example.com');
  expect(await getCredits(accountId)).toEqual([['free_credit', 750_000n]]);
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});

test('free credit does not come again for an address whose account was deleted, however it is written', async () => {
  const page = browser();
  await page.signUp('again@example.com');
  await openLink(page, 'again@example.com');
  const first = await getAccount('again@example.com');
  expect(await getCredits(first)).toHaveLength(1);
  await deleteAccount(api.ctx, first);
  for (const email of ['again@example.com', 'again+2@example.com', 'AGAIN+three@example.com']) {
    await browser().signUp(email);
    await openLink(browser(), email.toLowerCase());
    const accountId = await getAccount(email.toLowerCase());
    expect(accountId).not.toBe(first);
    expect(await getCredits(accountId)).toEqual([]);
  }
});

test('free credit comes by a reset password, too, once', async () => {
  const page = browser();
  await page.signUp('reset@example.com');
  const accountId = await getAccount('reset@example.com');
  for (const newPassword of ['another horse battery', 'a third horse battery']) {
    await page.post('/request-password-reset', { email: 'reset@example.com' });
    const token = linkFor('reset@example.com').searchParams.get('token');
    expect((await page.post('/reset-password', { newPassword, token })).status).toBe(200);
    expect(await getCredits(accountId)).toEqual([['free_credit', 750_000n]]);
  }
});

test('free credit does not come for a password that the command sets', async () => {
  const email = 'command@example.com';
  const { accountId } = await openAccount(api.ctx.db, email);
  await setPassword(api.ctx.db, { accountId, email, password: 'correct horse battery' }, CHEAP_HASHER);
  expect((await browser().signIn(email)).status).toBe(200);
  expect(await getCredits(accountId)).toEqual([]);
  expect(lines.join('')).not.toContain('free credit not granted');
});

test('two addresses of one account that are proved at once get one credit', async () => {
  const { accountId } = await openAccount(api.ctx.db, 'twice@example.com');
  const grant = (recipient: string) =>
    grantFreeCredit(api.ctx.db, { accountId, amount: 750_000n, recipient: `twice-${recipient}` });
  const granted = await Promise.all(['a', 'b', 'c', 'd'].map(grant));
  expect(granted.filter(Boolean)).toHaveLength(1);
  expect(await getCredits(accountId)).toEqual([['free_credit', 750_000n]]);
});
