import { Writable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deleteAccount } from '../../../server/account-data/index.ts';
import { openAccount } from '../../../server/accounts/index.ts';
import { listAuditEvents } from '../../../server/audit/index.ts';
import {
  getAuth,
  hasNoServiceOwner,
  isServiceOwner,
  purgeSessions,
  setPassword,
} from '../../../server/auth/index.ts';
import { schema } from '../../../server/base/database/db.ts';
import { createLogger } from '../../../server/base/log.ts';
import { issueKey } from '../../../server/keys/index.ts';
import { sendMail } from '../../../server/mail/index.ts';
import { readBalance, topUp } from '../../../server/wallet/index.ts';
import { createMailLog } from '../../support/servers/mail-log.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { PASSWORD, TestBrowser } from '../../support/service/sign-in.ts';

const { log, lines, linkFor } = createMailLog();

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api = { ...api, ctx: { ...api.ctx, log } };
});
afterAll(() => api.close());

let lastAddress = 0;
/** Every test's browser has an address of its own, so that none uses up another's attempts. */
const browser = () => new TestBrowser(api, `198.51.100.${++lastAddress}`);

async function verified(email: string): Promise<TestBrowser> {
  const page = browser();
  await page.signUp(email);
  const { pathname, search } = linkFor(email);
  await page.get(pathname.replace('/api/auth', '') + search);
  expect((await page.signIn(email)).status).toBe(200);
  return page;
}

/** A link says in whole seconds when it was made, so it is as old as a password of the same second. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1000));

describe('sign-up', () => {
  test('opens an account whose user may sign in once the address is verified', async () => {
    const page = browser();
    expect((await page.signUp('new@example.com')).status).toBe(200);
    expect((await page.signIn('new@example.com')).status).toBe(401);
    const { pathname, search } = linkFor('new@example.com');
    expect((await page.get(pathname.replace('/api/auth', '') + search)).status).toBe(302);
    expect((await page.signIn('new@example.com')).status).toBe(200);
    expect(await page.session()).toEqual({
      visitor: { name: 'Ada', email: 'new@example.com' },
      available_micro_usd: '0',
    });
  });

  test('answers for a known address as for a new one, and tells its owner by mail', async () => {
    await verified('known@example.com');
    const [known, fresh] = [
      await browser().signUp('known@example.com'),
      await browser().signUp('fresh@example.com'),
    ];
    expect([known.status, known.body]).toEqual([fresh.status, fresh.body]);
    expect(linkFor('known@example.com').pathname).toBe('/sign-in');
  });

  test('again of an address that was never verified: whoever reads its mail chooses the password', async () => {
    const email = 'squatted@example.com';
    await browser().signUp(email, 'a password of a stranger');
    const stranger = linkFor(email);
    await browser().signUp(email);
    const token = linkFor(email).searchParams.get('token');
    expect(linkFor(email).pathname).toBe('/reset-password');
    await browser().get(stranger.pathname.replace('/api/auth', '') + stranger.search);
    expect((await browser().signIn(email, 'a password of a stranger')).status).toBe(401);
    await browser().post('/reset-password', { token, newPassword: 'a password of the owner' });
    expect((await browser().signIn(email, 'a password of the owner')).status).toBe(200);
    await browser().get(stranger.pathname.replace('/api/auth', '') + stranger.search);
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

  test('ignores no field that it does not know: nobody chooses account or verification', async () => {
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

  test('leaves the wallet of an account that is known by its address to whoever reads its mail', async () => {
    const { accountId } = await openAccount(api.ctx.db, 'command@example.com');
    await topUp(api.ctx.db, { accountId, amount: 7_000_000n, idempotencyKey: 'command', reference: 'test' });
    const page = browser();
    await page.signUp('command@example.com');
    expect((await page.signIn('command@example.com')).status).toBe(401);
    const { pathname, search } = linkFor('command@example.com');
    await page.get(pathname.replace('/api/auth', '') + search);
    await page.signIn('command@example.com');
    expect(await page.session()).toMatchObject({ available_micro_usd: '7000000' });
    expect((await readBalance(api.ctx.db, accountId)).balance).toBe(7_000_000n);
  });
});

describe('the first start of a local install', () => {
  test('lets its owner sign up at once without a mail, and nobody after that', async () => {
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

  test('makes nobody else its owner once the first one is deleted', async () => {
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

describe('sign-in', () => {
  test('answers alike for an unknown address, a wrong password and an address that is not verified', async () => {
    await verified('alike@example.com');
    await browser().signUp('unverified@example.com');
    const answers = [
      await browser().signIn('nobody@example.com'),
      await browser().signIn('alike@example.com', 'a wrong password'),
      await browser().signIn('unverified@example.com'),
    ];
    const [first] = answers;
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 401, body: first?.body });
  });

  test('hashes a password for an unknown address as well, so that the time tells nothing', async () => {
    const { password } = await (await getAuth(api.ctx)).$context;
    const hash = vi.spyOn(password, 'hash');
    await browser().signIn('nobody@example.com', 'a wrong password');
    expect(hash).toHaveBeenCalledOnce();
  });

  test('is refused for a while after many attempts from one address, also with the password, and not from elsewhere', async () => {
    await verified('forced@example.com');
    const guesser = browser();
    const statuses = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      statuses.push((await guesser.signIn('forced@example.com', `guess number ${attempt}`)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const refused = await guesser.signIn('forced@example.com');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await browser().signIn('forced@example.com')).status).toBe(200);
  });

  test('is refused for a while after a hundred attempts at one account from as many addresses', {
    tags: ['long'],
  }, async () => {
    await verified('hunted@example.com');
    const guesses = Array.from({ length: 110 }, () =>
      browser().signIn('hunted@example.com', 'a wrong guess'),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(101);
    expect(statuses).toContain(429);
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', 'application/jsonp'])(
    'takes no %s, whose fields would not be counted',
    async (type) => {
      await verified(`form-${type.length}@example.com`);
      const { status, body } = await browser().post(
        '/sign-in/email',
        { email: `form-${type.length}@example.com`, password: PASSWORD },
        { 'content-type': type },
      );
      expect([status, body.message]).toEqual([400, 'Content-Type: must be application/json.']);
    },
  );

  test('gives a new session each time: one that was planted before is not used', async () => {
    const page = await verified('fixed@example.com');
    const [name, planted] = [...page.cookies].find(([key]) => key.includes('session_token')) ?? [];
    await page.signIn('fixed@example.com');
    expect(page.cookies.get(name ?? '')).not.toBe(planted);
    const forged = browser();
    forged.cookies.set(name ?? '', 'planted.signature');
    await forged.signIn('fixed@example.com');
    expect(forged.cookies.get(name ?? '')).not.toContain('planted');
  });

  test('sets a cookie that scripts and other sites cannot use', async () => {
    const page = await verified('cookie@example.com');
    const { headers } = await page.signIn('cookie@example.com');
    const cookie = headers.getSetCookie().find((line) => line.includes('session_token'));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toMatch(/Secure/i);
  });

  test('marks the cookie Secure where the service is reached by https', async () => {
    const https = await startApi({ PUBLIC_URL: 'https://darkroom.example', EMBEDDED_DATABASE: '1' });
    try {
      const page = new TestBrowser(https);
      await page.signUp('secure@example.com');
      const { headers } = await page.signIn('secure@example.com');
      expect(headers.getSetCookie().find((line) => line.includes('session_token'))).toMatch(/; Secure/i);
    } finally {
      await https.close();
    }
  });

  test('is refused from another site', async () => {
    await verified('cross@example.com');
    const answer = await browser().post(
      '/sign-in/email',
      { email: 'cross@example.com', password: PASSWORD },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    expect(answer.status).toBe(403);
  });
});

describe('a signed-in browser', () => {
  test('never leads to another site, whatever NODE_ENV says', async () => {
    expect(process.env.NODE_ENV).toBe('test');
    const elsewhere = 'https://elsewhere.example/';
    const query = new URLSearchParams({ token: 'x', callbackURL: elsewhere });
    const opened = await browser().get(`/verify-email?${query}`);
    expect([opened.status, opened.headers.get('location')]).toEqual([403, null]);
    const email = 'nobody@example.com';
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

  test('that sets a password anew ends the others and, if asked, revokes the keys', async () => {
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
    await browser().get(moving.pathname.replace('/api/auth', '') + moving.search);
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
    const { pathname, search } = linkFor('after@example.com');
    // Whoever opens the link is not signed in to an account that may be somebody else's.
    const other = browser();
    await other.get(pathname.replace('/api/auth', '') + search);
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
  const { pathname, search } = linkFor('taken@example.com');
  await page.get(pathname.replace('/api/auth', '') + search);
  await verified('first@example.com');
  const { users } = schema;
  const people = await api.ctx.db.select().from(users);
  const [former, newcomer] = ['taken@example.com', 'first@example.com'].map((email) =>
    people.find((person) => person.email === email),
  );
  expect(former?.accountId).toBeDefined();
  expect(newcomer?.accountId).not.toBe(former?.accountId);
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

test('challenges of passkeys are counted, and deleted once they have expired', async () => {
  const { verifications } = schema;
  const page = browser();
  const statuses = [];
  for (let at = 0; at < 40; at++)
    statuses.push((await page.get('/passkey/generate-authenticate-options')).status);
  expect(statuses).toContain(429);
  await api.ctx.db.update(verifications).set({ expiresAt: new Date(0) });
  await purgeSessions(api.ctx);
  expect(await api.ctx.db.$count(verifications)).toBe(0);
});

test.each([
  ['2001:db8::7:1', '2001:db8::7:1'],
  ['::ffff:198.51.100.200', '198.51.100.200'],
  ['::1', '::1'],
])('a sign-in from %s is stored as one from %s', async (given, stored) => {
  const email = `from-${given.replaceAll(':', '-')}@example.com`;
  await verified(email);
  expect((await new TestBrowser(api, given).signIn(email)).status).toBe(200);
  const { sessions, auditEvents } = schema;
  for (const found of [
    await api.ctx.db.select({ address: sessions.ipAddress }).from(sessions),
    await api.ctx.db.select({ address: auditEvents.address }).from(auditEvents),
  ]) {
    expect(found.map(({ address }) => address)).toContain(stored);
  }
});

test('mails go to the log of a local install only', async () => {
  const lines: string[] = [];
  const log = createLogger(
    'info',
    'test',
    new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }),
  );
  const mail = { to: 'a@example.com', subject: 'Reset', text: 'https://secret.example' };
  sendMail({ env: { ...api.ctx.env, PUBLIC_URL: 'https://darkroom.example.com' }, log }, mail);
  expect(lines.join('')).not.toContain('secret');
  sendMail({ env: api.ctx.env, log }, mail);
  expect(lines.join('')).toContain('secret');
});

test('a reset answers alike for known and unknown addresses', async () => {
  await verified('asked@example.com');
  const known = await browser().post('/request-password-reset', { email: 'asked@example.com' });
  const unknown = await browser().post('/request-password-reset', { email: 'unasked@example.com' });
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
});

test.each(['/delete-user', '/link-social', '/update-session', '/ok', '/error', '/revoke-sessions'])(
  'the path %s of the library cannot be reached',
  async (path) => {
    expect((await browser().post(path, {})).status).toBe(404);
  },
);

test('the database keeps no password, and a link’s token only as a hash', async () => {
  const page = await verified('rest@example.com');
  await page.post('/request-password-reset', { email: 'rest@example.com' });
  const token = linkFor('rest@example.com').searchParams.get('token') ?? 'none';
  const rows = JSON.stringify([
    await api.ctx.db.select().from(schema.verifications),
    await api.ctx.db.select().from(schema.credentials),
  ]);
  expect(rows).not.toContain(token);
  expect(rows).not.toContain(PASSWORD);
});

test('no log line holds a password or a session', async () => {
  const page = await verified('quiet@example.com');
  await page.signIn('quiet@example.com', 'a very private guess');
  const [, session = 'none'] = [...page.cookies].find(([key]) => key.includes('session_token')) ?? [];
  const log = lines.join('');
  for (const secret of [PASSWORD, 'a very private guess', session, decodeURIComponent(session)]) {
    expect(log).not.toContain(secret);
  }
});

test('the command sets a password that works at once and signs browsers out', async () => {
  const { accountId } = await openAccount(api.ctx.db, 'operator@example.com');
  const order = { accountId, email: 'Operator@example.com' };
  await setPassword(api.ctx.db, { ...order, password: 'first good password' });
  const page = browser();
  expect((await page.signIn('operator@example.com', 'first good password')).status).toBe(200);
  await setPassword(api.ctx.db, { ...order, password: 'second good password' });
  expect(await page.session()).toEqual({ visitor: null });
  expect((await browser().signIn('operator@example.com', 'second good password')).status).toBe(200);
});
