import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { getAuth, purgeSessions, setPassword } from '../../../../server/identity/auth/index.ts';
import { sendMail } from '../../../../server/io/mail.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { CHEAP_HASHER } from '../../../support/service/cheap-hasher.ts';
import { PASSWORD, TestBrowser } from '../../../support/service/sign-in.ts';
import { createVisitors } from '../../../support/service/visitors.ts';

const { start, lines, linkFor, browser, verified } = createVisitors();

let api: TestApi;
beforeAll(async () => {
  api = await start();
});
afterAll(() => api.close());

describe('sign-in', () => {
  test('responds alike for an unknown address, a wrong password and an address that is not verified', async () => {
    await verified('alike@example.com');
    await browser().signUp('unverified@example.com');
    const responses = [
      await browser().signIn('unknown@example.com'),
      await browser().signIn('alike@example.com', 'a wrong password'),
      await browser().signIn('unverified@example.com'),
    ];
    const [first] = responses;
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 401, body: first?.body });
  });

  test('hashes a password for an unknown address as well, so that the time tells nothing', async () => {
    const { password } = await (await getAuth(api.ctx)).$context;
    const hash = vi.spyOn(password, 'hash');
    await browser().signIn('unknown@example.com', 'a wrong password');
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
    const response = await browser().post(
      '/sign-in/email',
      { email: 'cross@example.com', password: PASSWORD },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    );
    expect(response.status).toBe(403);
  });
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

test('a reset responds alike for known and unknown addresses', async () => {
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
  await setPassword(api.ctx.db, { ...order, password: 'first good password' }, CHEAP_HASHER);
  const page = browser();
  expect((await page.signIn('operator@example.com', 'first good password')).status).toBe(200);
  await setPassword(api.ctx.db, { ...order, password: 'second good password' }, CHEAP_HASHER);
  expect(await page.session()).toEqual({ visitor: null });
  expect((await browser().signIn('operator@example.com', 'second good password')).status).toBe(200);
});
