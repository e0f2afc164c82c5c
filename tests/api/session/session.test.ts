import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTH_INPUTS } from '../../../server/api/account/auth-inputs.ts';
import { handleAuth, handleSession } from '../../../server/api/account/auth-routes.ts';
import { sendAccountFile } from '../../../server/api/trpc/send-account-file.ts';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { openSignedInBrowser, type TestBrowser } from '../../support/service/sign-in.ts';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const CONVERT = '/api/media-tools/v1/image-convert';

let api: TestApi;
let owner: TestBrowser;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  owner = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
});
afterAll(() => api.close());

const body = () => ({ image_url: api.imageUrl, to_format: 'webp' });
const convert = (headers: Record<string, string>) => api.call('POST', CONVERT, { body: body(), headers });
const heldBy = async (accountId: string) => (await readBalance(api.ctx.db, accountId)).held;

test('POST of a job from our own page returns 202 with the session alone, and its owner sees and pays for it', async () => {
  const headers = { ...OWN_PAGE, cookie: owner.cookie };
  const before = await heldBy(api.accountId);
  const { status, body: accepted } = await convert(headers);
  expect(status).toBe(202);
  expect((await heldBy(api.accountId)) - before).toBe(2_000n);
  const path = `/api/v2/requests/status/${accepted.request_id}`;
  expect((await api.call('GET', path, { headers })).status).toBe(200);
  expect((await api.status(accepted.request_id)).status).toBe(200);
  const [job] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, accepted.request_id));
  expect(job).toMatchObject({ accountId: api.accountId, keyId: null });
});

test('uploads, quotes and background removal take the session, too', async () => {
  const headers = { ...OWN_PAGE, cookie: owner.cookie };
  const upload = await api.call('POST', '/api/uploads', {
    body: new Uint8Array([1, 2, 3]),
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  });
  expect(upload.status).toBe(201);
  const quote = { model_id: 'media-convert-image', request: body() };
  expect((await api.call('POST', '/api/v2/quotes', { body: quote, headers })).status).toBe(200);
  const missing = await api.call('POST', '/api/v1/remove-bg', { body: {}, headers });
  expect(missing.status).toBe(400);
});

test.each([
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['of a sibling of our domain', { 'sec-fetch-site': 'same-site' }],
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another name of this machine', { ...OWN_PAGE, origin: 'http://evil.example:3000' }],
  ['without an origin', {}],
])('POST of a job with the session returns 401 from a page %s', async (_, headers) => {
  const before = await heldBy(api.accountId);
  const { status, body: response } = await convert({ cookie: owner.cookie, ...headers });
  expect([status, response.message]).toEqual([401, expect.stringContaining('Ocp-Apim-Subscription-Key')]);
  expect(await heldBy(api.accountId)).toBe(before);
});

test('GET of a job with the session returns 401 from another site', async () => {
  const headers = { cookie: owner.cookie, 'sec-fetch-site': 'cross-site' };
  expect((await api.call('GET', '/api/v2/wallet', { headers })).status).toBe(401);
});

test('own files, the session and lists of sign-ins are 403 from another site', async () => {
  const read = (path: string, site: string) => {
    const headers = { cookie: owner.cookie, 'sec-fetch-site': site };
    const request = new Request(`http://localhost:3000${path}`, { headers });
    if (path === '/api/session') return handleSession(api.ctx, request);
    const file = /^\/api\/own\/(.*)/.exec(path)?.[1];
    return file ? sendAccountFile(api.ctx, request, file) : handleAuth(api.ctx, request);
  };
  for (const path of [
    ...['/api/own/ledger.csv', '/api/own/account.json', '/api/session'],
    ...['/api/auth/list-sessions', '/api/auth/passkey/list-user-passkeys'],
  ]) {
    expect((await read(path, 'same-origin')).status, path).toBe(200);
    const { status, headers } = await read(path, 'cross-site');
    expect([status, headers.get('access-control-allow-origin')], path).toEqual([403, null]);
  }
});

/** Paths of the library: those that take the name of a session or a passkey, and those that take none. */
const AUTH_BY_NAME = ['POST /revoke-session', 'POST /passkey/delete-passkey'];
const AUTH_WITHOUT_NAME = [
  ...['POST /sign-up/email', 'POST /sign-in/email', 'POST /sign-out', 'GET /verify-email'],
  'POST /sign-up/invitation',
  ...['POST /request-password-reset', 'POST /reset-password', 'POST /change-password', 'POST /change-email'],
  ...['POST /update-user', 'GET /list-sessions', 'POST /revoke-other-sessions'],
  ...['generate-register-options', 'generate-authenticate-options', 'list-user-passkeys'].map(
    (path) => `GET /passkey/${path}`,
  ),
  ...['POST /passkey/verify-registration', 'POST /passkey/verify-authentication'],
];

test('every path of the library is named here, so that a new one is not forgotten', () => {
  expect([...AUTH_INPUTS.keys()].toSorted()).toEqual([...AUTH_BY_NAME, ...AUTH_WITHOUT_NAME].toSorted());
});

test('sessions and passkeys of another account stay, even when named by another user', async () => {
  const { users, sessions, passkeys } = schema;
  const [user] = await api.ctx.db.select().from(users).where(eq(users.accountId, api.accountId));
  const userId = user?.id ?? '';
  const fields = { publicKey: 'x', credentialID: 'x', counter: 0, deviceType: 'x', backedUp: false };
  const [passkey] = await api.ctx.db
    .insert(passkeys)
    .values({ ...fields, userId })
    .returning();
  const [session] = await api.ctx.db.select().from(sessions).where(eq(sessions.userId, userId));
  const { accountId } = await openAccount(api.ctx.db, 'thief@example.com');
  const thief = await openSignedInBrowser(api, { accountId, email: 'thief@example.com' });
  const names: Readonly<Record<string, object>> = {
    'POST /revoke-session': { token: session?.token },
    'POST /passkey/delete-passkey': { id: passkey?.id },
  };
  for (const path of AUTH_BY_NAME) await thief.post(path.replace('POST ', ''), names[path]);
  await thief.post('/revoke-other-sessions', {});
  expect((await thief.get('/passkey/list-user-passkeys')).body).toEqual([]);
  expect((await thief.get('/list-sessions')).body).toHaveLength(1);
  expect(await api.ctx.db.$count(passkeys)).toBe(1);
  expect(await owner.session()).toMatchObject({ visitor: { email: 'owner@example.com' } });
  // The same calls work for their owner.
  await owner.post('/passkey/delete-passkey', names['POST /passkey/delete-passkey']);
  expect(await api.ctx.db.$count(passkeys)).toBe(0);
});

test('a key wins over the session, and a wrong key is refused despite the session', async () => {
  const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
  const headers = { ...OWN_PAGE, cookie: owner.cookie };
  const wallet = (key: string) =>
    api.call('GET', '/api/v2/wallet', { headers: { ...headers, 'ocp-apim-subscription-key': key } });
  expect((await wallet(apiKey)).body).toMatchObject({ balance_usd: '0.00' });
  expect((await wallet('mk_unknown')).status).toBe(401);
});

test('another account’s job returns 404 with the session', async () => {
  const { body: accepted } = await convert({ 'ocp-apim-subscription-key': api.apiKey });
  const { accountId } = await openAccount(api.ctx.db, 'stranger@example.com');
  const stranger = await openSignedInBrowser(api, { accountId, email: 'stranger@example.com' });
  const headers = { ...OWN_PAGE, cookie: stranger.cookie };
  const path = `/api/v2/requests/status/${accepted.request_id}`;
  expect((await api.call('GET', path, { headers })).status).toBe(404);
});

test('an ended session returns 401', async () => {
  const { accountId } = await openAccount(api.ctx.db, 'leaver@example.com');
  const leaver = await openSignedInBrowser(api, { accountId, email: 'leaver@example.com' });
  const headers = { ...OWN_PAGE, cookie: leaver.cookie };
  expect((await api.call('GET', '/api/v2/wallet', { headers })).status).toBe(200);
  await leaver.post('/sign-out', {});
  expect((await api.call('GET', '/api/v2/wallet', { headers })).status).toBe(401);
});
