import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { listAuditEvents, openAccount } from '../../../../server/identity/accounts/index.ts';
import { getAuth } from '../../../../server/identity/auth/index.ts';
import { issueKey } from '../../../../server/identity/keys/index.ts';
import type { TestApi } from '../../../support/service/api.ts';
import { PASSWORD } from '../../../support/service/sign-in.ts';
import { createVisitors, openLink } from '../../../support/service/visitors.ts';

const { start, linkFor, browser, verified } = createVisitors();

let api: TestApi;
beforeAll(async () => {
  api = await start();
});
afterAll(() => api.close());

/** A link says in whole seconds when it was made, so it is as old as a password of the same second. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1000));

describe('a signed-in browser', () => {
  test('never leads to another site, whatever NODE_ENV says', async () => {
    expect(process.env.NODE_ENV).toBe('test');
    const elsewhere = 'https://elsewhere.example/';
    const query = new URLSearchParams({ token: 'x', callbackURL: elsewhere });
    const opened = await browser().get(`/verify-email?${query}`);
    expect([opened.status, opened.headers.get('location')]).toEqual([403, null]);
    const email = 'unknown@example.com';
    const { status } = await browser().post('/request-password-reset', {
      email,
      redirectTo: elsewhere,
    });
    expect(status).toBe(403);
    const context = await (await getAuth(api.ctx)).$context;
    expect([context.skipOriginCheck, context.skipCSRFCheck]).toEqual([false, false]);
  });

  test.each([
    '/.//elsewhere.example',
    '/./\\\\elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    '/sign-in/..//elsewhere.example',
    '/%2e//elsewhere.example',
    'http://localhost:3000.elsewhere.example/sign-in',
    'http://localhost:3000//elsewhere.example',
    '//elsewhere.example/sign-in',
    '/unknown',
  ])('is led nowhere by the path %j', async (callbackURL) => {
    const query = new URLSearchParams({ token: 'bad', callbackURL });
    const opened = await browser().get(`/verify-email?${query}`);
    expect([opened.status, opened.headers.get('location')]).toEqual([403, null]);
    const signedIn = await browser().post('/sign-in/email', {
      email: 'a@example.com',
      password: PASSWORD,
      callbackURL,
    });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([403, null]);
  });

  test.each([
    ['/sign-in?verified=1', '/sign-in?verified=1&error=INVALID_TOKEN'],
    ['/dashboard/../sign-in', '/sign-in?error=INVALID_TOKEN'],
  ])('is led to our page %s', async (callbackURL, location) => {
    const opened = await browser().get(`/verify-email?${new URLSearchParams({ token: 'bad', callbackURL })}`);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, location]);
  });

  test('that sets a new password ends the others and, if asked, revokes the keys', async () => {
    const email = 'changed@example.com';
    const page = await verified(email);
    const other = browser();
    await other.signIn(email);
    const { users, apiKeys } = schema;
    const [user] = await api.ctx.db.select().from(users).where(eq(users.email, email));
    const accountId = user?.accountId ?? '';
    await issueKey(api.ctx.db, { accountId, name: 'one' });
    const active = () =>
      api.ctx.db.$count(apiKeys, and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
    const actions = async () =>
      (await listAuditEvents(api.ctx.db, { accountId, limit: 100 })).events.map(({ action }) => action);

    const change = { currentPassword: PASSWORD, newPassword: 'a second password' };
    expect((await page.post('/change-password', change)).status).toBe(200);
    expect(await other.session()).toEqual({ visitor: null });
    expect(await page.session()).toMatchObject({ visitor: { email } });
    expect(await active()).toBe(1);
    expect(await actions()).toEqual(expect.arrayContaining(['password.change', 'sessions.end']));
    expect(await actions()).not.toContain('keys.revokeAll');

    const again = { currentPassword: 'a second password', newPassword: PASSWORD, revokeKeys: true };
    expect((await page.post('/change-password', { ...again, currentPassword: 'wrong one' })).status).toBe(
      400,
    );
    expect(await active()).toBe(1);
    expect((await page.post('/change-password', again)).status).toBe(200);
    expect(await active()).toBe(0);

    await issueKey(api.ctx.db, { accountId, name: 'two' });
    await page.post('/request-password-reset', { email });
    const token = linkFor(email).searchParams.get('token');
    const reset = { token, newPassword: 'a third password' };
    const forged = browser();
    expect(
      (await forged.post('/reset-password', { ...reset, token: 'bad' }, { 'x-revoke-keys': '1' })).status,
    ).toBe(400);
    expect(await active()).toBe(1);
    expect((await forged.post('/reset-password', { ...reset, revokeKeys: true })).status).toBe(200);
    expect(await page.session()).toEqual({ visitor: null });
    expect(await active()).toBe(0);
    expect((await actions()).filter((action) => action === 'keys.revokeAll')).toHaveLength(2);
    expect(await actions()).toContain('password.reset');
  });

  test('signs out, and its cookie opens nothing any more', async () => {
    const page = await verified('out@example.com');
    const before = new Map(page.cookies);
    await page.post('/sign-out', {});
    for (const [name, value] of before) page.cookies.set(name, value);
    expect(await page.session()).toEqual({ visitor: null });
  });

  test('is signed out by a reset of the password, which ends passkeys and all links', async () => {
    const page = await verified('reset@example.com');
    const { users, passkeys } = schema;
    const [user] = await api.ctx.db.select().from(users).where(eq(users.email, 'reset@example.com'));
    const passkey = { publicKey: 'x', credentialID: 'x', counter: 0, deviceType: 'x', backedUp: false };
    await api.ctx.db.insert(passkeys).values({ ...passkey, userId: user?.id ?? '' });
    await page.post('/change-email', { newEmail: 'thief@example.com', password: PASSWORD });
    const moving = linkFor('thief@example.com');
    await page.post('/request-password-reset', { email: 'reset@example.com' });
    const former = linkFor('reset@example.com').searchParams.get('token');
    await page.post('/request-password-reset', { email: 'reset@example.com' });
    const token = linkFor('reset@example.com').searchParams.get('token');
    const reset = () => browser().post('/reset-password', { token, newPassword: 'another good password' });
    expect((await reset()).status).toBe(200);
    expect((await reset()).status).toBe(400);
    const byFormer = { token: former, newPassword: 'a third good password' };
    expect((await browser().post('/reset-password', byFormer)).status).toBe(400);
    expect(await api.ctx.db.$count(passkeys)).toBe(0);
    expect(await page.session()).toEqual({ visitor: null });
    expect((await browser().signIn('reset@example.com')).status).toBe(401);
    await openLink(browser(), moving);
    expect((await browser().signIn('thief@example.com', 'another good password')).status).toBe(401);
    expect((await browser().signIn('reset@example.com', 'another good password')).status).toBe(200);
  });

  test('moves to another address once the link sent there was opened', async () => {
    const page = await verified('before@example.com');
    const change = { newEmail: 'after@example.com', callbackURL: '/' };
    await nextSecond();
    expect((await page.post('/change-email', change)).status).toBe(400);
    expect((await page.post('/change-email', { ...change, password: 'not this one' })).status).toBe(400);
    expect((await page.post('/change-email', { ...change, password: PASSWORD })).status).toBe(200);
    expect(linkFor('before@example.com').pathname).toBe('/reset-password');
    expect(await page.session()).toMatchObject({ visitor: { email: 'before@example.com' } });
    const moving = linkFor('after@example.com');
    // The opener of the link is not signed in to an account that may be another person's.
    const other = browser();
    await openLink(other, moving);
    expect(await other.session()).toEqual({ visitor: null });
    expect((await browser().signIn('after@example.com')).status).toBe(200);
    const { accounts } = schema;
    expect(
      await api.ctx.db.select().from(accounts).where(eq(accounts.email, 'after@example.com')),
    ).toHaveLength(1);
  });
});

test('a change to the address of an account of the command leaves nothing behind for the former address', async () => {
  const page = await verified('first@example.com');
  await openAccount(api.ctx.db, 'taken@example.com');
  await nextSecond();
  await page.post('/change-email', { newEmail: 'taken@example.com', password: PASSWORD });
  await openLink(page, linkFor('taken@example.com'));
  await verified('first@example.com');
  const { users } = schema;
  const people = await api.ctx.db.select().from(users);
  const [former, newcomer] = ['taken@example.com', 'first@example.com'].map((email) =>
    people.find((person) => person.email === email),
  );
  expect(former?.accountId).toBeDefined();
  expect(newcomer?.accountId).not.toBe(former?.accountId);
});
