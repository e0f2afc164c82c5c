import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { SCRYPT } from '../../../../server/base/password-hasher.ts';
import { listAuditEvents } from '../../../../server/identity/accounts/index.ts';
import { setPassword } from '../../../../server/identity/auth/index.ts';
import { createMailLog } from '../../../support/servers/mail-log.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { TestBrowser } from '../../../support/service/sign-in.ts';

const email = 'ada@example.com';
const { log, linkFor } = createMailLog();

let api: TestApi;
beforeAll(async () => {
  const made = await startApi();
  // The hash of production.
  api = { ...made, ctx: { ...made.ctx, log, passwordHasher: SCRYPT } };
});
afterAll(() => api.close());

const set = (password: string) => setPassword(api.ctx.db, { accountId: api.accountId, email, password });
const signIn = async (page: TestBrowser, password: string) => (await page.signIn(email, password)).status;
async function logged(): Promise<unknown[]> {
  const { events } = await listAuditEvents(api.ctx.db, { accountId: api.accountId, limit: 100 });
  return events.map(({ action, subject, person }) => [action, subject, person]);
}

it('a password that an operator sets ends sessions, passkeys and links, and is in the log of the account', async () => {
  const page = new TestBrowser(api, '198.51.100.1');
  await set('a first good password');
  expect(await logged()).toEqual([]);
  expect(await signIn(page, 'a first good password')).toBe(200);
  const { users, passkeys } = schema;
  const [user] = await api.ctx.db.select().from(users).where(eq(users.email, email));
  const passkey = { publicKey: 'x', credentialID: 'x', counter: 0, deviceType: 'x', backedUp: false };
  await api.ctx.db.insert(passkeys).values({ ...passkey, userId: user?.id ?? '' });
  await page.post('/request-password-reset', { email });
  const token = linkFor(email).searchParams.get('token');

  await set('a second good password');
  expect(await page.session()).toEqual({ visitor: null });
  expect(await api.ctx.db.$count(passkeys)).toBe(0);
  const byLink = { token, newPassword: 'a password of a stranger' };
  expect((await page.post('/reset-password', byLink)).status).toBe(400);
  expect(await signIn(page, 'a second good password')).toBe(200);
  expect(await logged()).toContainEqual(['password.set', email, null]);
});

it('a first password that an operator sets ends the access of a user who had none', async () => {
  const page = new TestBrowser(api, '198.51.100.2');
  await set('a third good password');
  expect(await signIn(page, 'a third good password')).toBe(200);
  const { credentials } = schema;
  await api.ctx.db.delete(credentials);

  await set('a fourth good password');
  expect(await page.session()).toEqual({ visitor: null });
});
