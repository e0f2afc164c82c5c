import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { hasNoServiceOwner, isServiceOwner } from '../../../../server/identity/auth/index.ts';
import { readBalance, topUp } from '../../../../server/money/wallet/index.ts';
import { createMailLog } from '../../../support/servers/mail-log.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { PASSWORD, TestBrowser } from '../../../support/service/sign-in.ts';
import { createVisitors, openLink } from '../../../support/service/visitors.ts';

const { start, lines, linkFor, browser, verified } = createVisitors();

let api: TestApi;
beforeAll(async () => {
  api = await start();
});
afterAll(() => api.close());

describe('sign-up', () => {
  test('opens an account whose user may sign in once the address is verified', async () => {
    const page = browser();
    expect((await page.signUp('new@example.com')).status).toBe(200);
    expect((await page.signIn('new@example.com')).status).toBe(401);
    expect((await openLink(page, linkFor('new@example.com'))).status).toBe(302);
    expect((await page.signIn('new@example.com')).status).toBe(200);
    expect(await page.session()).toEqual({
      visitor: { name: 'Ada', email: 'new@example.com' },
      available_micro_usd: '0',
    });
  });

  test('responds for a known address as for a new one, and tells its owner by mail', async () => {
    await verified('known@example.com');
    const [known, fresh] = [
      await browser().signUp('known@example.com'),
      await browser().signUp('fresh@example.com'),
    ];
    expect([known.status, known.body]).toEqual([fresh.status, fresh.body]);
    expect(linkFor('known@example.com').pathname).toBe('/sign-in');
  });

  test('again of an address that was never verified: the reader of its mail chooses the password', async () => {
    const email = 'squatted@example.com';
    await browser().signUp(email, 'a password of a stranger');
    const stranger = linkFor(email);
    await browser().signUp(email);
    const token = linkFor(email).searchParams.get('token');
    expect(linkFor(email).pathname).toBe('/reset-password');
    await openLink(browser(), stranger);
    expect((await browser().signIn(email, 'a password of a stranger')).status).toBe(401);
    await browser().post('/reset-password', { token, newPassword: 'a password of the owner' });
    expect((await browser().signIn(email, 'a password of the owner')).status).toBe(200);
    await openLink(browser(), stranger);
    expect((await browser().signIn(email, 'a password of a stranger')).status).toBe(401);
  });

  test.each([
    ['/sign-up/email', { name: 'Ada', password: PASSWORD }],
    ['/request-password-reset', {}],
  ])('POST %s sends an address a few mails, from however many networks it comes', async (path, fields) => {
    const email = `flooded-${path.length}@example.com`;
    await verified(email);
    const before = lines.length;
    const statuses = [];
    for (let at = 0; at < 8; at++) {
      statuses.push((await browser().post(path, { email, ...fields })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const mails = lines.slice(before).filter((line) => JSON.parse(line).mail?.to === email);
    expect(mails.length).toBeGreaterThan(2);
    expect(mails.length).toBeLessThanOrEqual(5);
  });

  test('ignores no field that it does not know: no one chooses account or verification', async () => {
    const { accountId } = await openAccount(api.ctx.db, 'rich@example.com');
    await topUp(api.ctx.db, { accountId, amount: 5_000_000n, idempotencyKey: 'rich', reference: 'test' });
    await browser().signUp('thief@example.com', PASSWORD, { accountId, emailVerified: true });
    const { users } = schema;
    const found = await api.ctx.db.select().from(users).where(eq(users.email, 'thief@example.com'));
    for (const user of found) {
      expect(user.accountId).not.toBe(accountId);
      expect(user.emailVerified).toBe(false);
    }
  });

  test('leaves the wallet of an account that is known by its address to the reader of its mail', async () => {
    const { accountId } = await openAccount(api.ctx.db, 'command@example.com');
    await topUp(api.ctx.db, { accountId, amount: 7_000_000n, idempotencyKey: 'command', reference: 'test' });
    const page = browser();
    await page.signUp('command@example.com');
    expect((await page.signIn('command@example.com')).status).toBe(401);
    await openLink(page, linkFor('command@example.com'));
    await page.signIn('command@example.com');
    expect(await page.session()).toMatchObject({ available_micro_usd: '7000000' });
    expect((await readBalance(api.ctx.db, accountId)).balance).toBe(7_000_000n);
  });
});

describe('the first start of a local install', () => {
  test('lets its owner sign up at once without a mail, and no one after that', async () => {
    const { log: ownLog, lines: ownLines } = createMailLog();
    const started = await startApi({ EMBEDDED_DATABASE: '1' });
    const local = { ...started, ctx: { ...started.ctx, log: ownLog } };
    try {
      const owner = new TestBrowser(local);
      await owner.signUp('me@example.com');
      expect((await owner.signIn('me@example.com')).status).toBe(200);
      expect(ownLines.filter((line) => line.includes('"mail"'))).toEqual([]);
      const other = new TestBrowser(local);
      await other.signUp('other@example.com');
      expect((await other.signIn('other@example.com')).status).toBe(401);
    } finally {
      await local.close();
    }
  });

  test('makes no one else its owner once the first one is deleted', async () => {
    const local = await startApi({ EMBEDDED_DATABASE: '1' });
    try {
      const { ctx } = local;
      await new TestBrowser(local).signUp('me@example.com');
      const [first] = await ctx.db.select().from(schema.users);
      await deleteAccount(ctx, first?.accountId ?? '');
      expect(await hasNoServiceOwner(ctx)).toBe(false);
      const stranger = new TestBrowser(local);
      await stranger.signUp('stranger@example.com');
      expect((await stranger.signIn('stranger@example.com')).status).toBe(401);
      expect(await isServiceOwner(ctx, { email: 'stranger@example.com' })).toBe(false);
    } finally {
      await local.close();
    }
  });

  test('does not give the first visitor an account that the command has opened', async () => {
    const local = await startApi({ EMBEDDED_DATABASE: '1' });
    try {
      const stranger = new TestBrowser(local);
      await stranger.signUp('owner@example.com');
      expect((await stranger.signIn('owner@example.com')).status).toBe(401);
    } finally {
      await local.close();
    }
  });
});

test('of several first sign-ups at the same time one is the owner’s', async () => {
  const local = await startApi({ EMBEDDED_DATABASE: '1' });
  try {
    const people = Array.from({ length: 5 }, (_, at) => new TestBrowser(local, `192.0.2.${at}`));
    await Promise.all(people.map((person, at) => person.signUp(`racer-${at}@example.com`)));
    const { users } = schema;
    expect(await local.ctx.db.$count(users, eq(users.emailVerified, true))).toBe(1);
  } finally {
    await local.close();
  }
});
