import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportAccount } from '../../../server/api/account/export-account.ts';
import { sendAccountFile } from '../../../server/api/trpc/send-account-file.ts';
import { schema } from '../../../server/base/database/db.ts';
import { isServiceOwner } from '../../../server/identity/auth/index.ts';
import { invite } from '../../../server/identity/team/index.ts';
import { createMailLog } from '../../support/servers/mail-log.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { openSession, PASSWORD, TestBrowser } from '../../support/service/sign-in.ts';
import { inviteByMail, newAddress, openOwnedTeam, sendCall } from '../../support/service/team.ts';

const mails = createMailLog();

let api: TestApi;
beforeAll(async () => {
  const started = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '10000' });
  api = { ...started, ctx: { ...started.ctx, log: mails.log } };
});
afterAll(() => api.close());

const openTeam = () => openOwnedTeam(api, mails);
const call = (browser: TestBrowser, name: string, input?: object) => sendCall(api, browser, name, input);

test('a customer invites, and the invited join by the link of the mail, each with a role', async () => {
  const { owner, accountId, email } = await openTeam();
  const bob = newAddress('Bob');
  expect((await call(owner, 'team.invite', { email: bob, role: 'developer' })).status).toBe(200);
  const { data: before } = await call(owner, 'team.list');
  expect(before.members).toMatchObject([{ email, role: 'owner' }]);
  expect(before.invitations).toMatchObject([
    { email: bob.toLowerCase(), role: 'developer', isExpired: false },
  ]);
  const days = (Date.parse(before.invitations[0].expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 1);
  const link = mails.linkFor(bob.toLowerCase());
  expect(link.pathname).toBe('/invitation');
  const token = link.searchParams.get('token') ?? '';

  const browser = new TestBrowser(api);
  const signUp = { token, name: 'Bob', password: PASSWORD };
  expect((await browser.post('/sign-up/invitation', { ...signUp, password: 'short' })).status).toBe(400);
  expect((await browser.post('/sign-up/invitation', signUp, { origin: 'https://evil.example' })).status).toBe(
    403,
  );
  const { status, body } = await browser.post('/sign-up/invitation', signUp);
  expect([status, body]).toEqual([200, { email: bob.toLowerCase() }]);
  expect((await browser.signIn(bob)).status).toBe(200);
  const { data: me } = await call(browser, 'account.me');
  expect(me).toMatchObject({ accountId, role: 'developer', email: bob.toLowerCase() });
  expect(await browser.session()).toMatchObject({ available_micro_usd: '5000000' });
  expect((await call(browser, 'team.accounts')).data).toMatchObject([
    { name: bob.toLowerCase(), role: 'owner' },
    { name: email, role: 'developer', accountId },
  ]);
  expect((await call(owner, 'team.list')).data.invitations).toEqual([]);
  const again = await new TestBrowser(api).post('/sign-up/invitation', signUp);
  expect([again.status, again.body.message]).toEqual([404, expect.stringContaining('was used or revoked')]);
});

test('each role may do what the contract says, over tRPC, downloads and the API by the session', async () => {
  const { owner, add } = await openTeam();
  const { keyId } = (await call(owner, 'keys.create', { name: 'shop' })).data;
  const people = {
    owner,
    developer: (await add('developer')).browser,
    billing: (await add('billing')).browser,
    read_only: (await add('read_only')).browser,
  };
  const press = () => ({ amountUsd: '1', idempotencyKey: randomUUID() });
  const attempts: Record<string, [input: () => object | undefined, roles: string]> = {
    'keys.create': [() => ({ name: 'one' }), 'owner developer'],
    'keys.list': [() => undefined, 'owner developer read_only'],
    'webhooks.secrets': [() => undefined, 'owner developer'],
    'webhooks.deliveries': [() => ({}), 'owner developer read_only'],
    'jobs.list': [() => ({}), 'owner developer read_only'],
    'wallet.summary': [() => undefined, 'owner developer billing read_only'],
    'wallet.ledger': [() => ({}), 'owner billing read_only'],
    'wallet.testTopUp': [press, 'owner billing'],
    'spending.setCap': [() => ({ amountUsd: '100' }), 'owner billing'],
    'team.list': [() => undefined, 'owner developer billing read_only'],
    'team.invite': [() => ({ email: newAddress('more'), role: 'read_only' }), 'owner'],
  };
  for (const [name, [input, roles]] of Object.entries(attempts)) {
    for (const [role, browser] of Object.entries(people)) {
      const { status, code, message } = await call(browser, name, input());
      const isAllowed = roles.split(' ').includes(role);
      expect([status, code], `${name} as ${role}`).toEqual(isAllowed ? [200, undefined] : [403, 'FORBIDDEN']);
      if (!isAllowed) expect(message).toMatch(/^Only the roles? owner.* may .*\. Your role is /);
    }
  }
  const download = async (browser: TestBrowser, name: string) => {
    const url = `${api.ctx.env.PUBLIC_URL}/api/own/${name}`;
    return (await sendAccountFile(api.ctx, new Request(url, { headers: browser.headers() }), name)).status;
  };
  const run = async ({ cookie }: TestBrowser) =>
    await api.call('POST', '/api/media-tools/v1/image-convert', {
      body: { image_url: api.imageUrl, to_format: 'webp' },
      headers: { 'sec-fetch-site': 'same-origin', cookie },
    });
  const outcomes = Object.entries(people).map(async ([role, browser]) => [
    role,
    await download(browser, 'ledger.csv'),
    await download(browser, 'account.json'),
    (await run(browser)).status,
  ]);
  expect(await Promise.all(outcomes)).toEqual([
    ['owner', 200, 200, 202],
    ['developer', 403, 403, 202],
    ['billing', 200, 403, 403],
    ['read_only', 200, 403, 403],
  ]);
  const list = async ({ cookie }: TestBrowser) =>
    (await api.call('GET', '/api/uploads', { headers: { 'sec-fetch-site': 'same-origin', cookie } })).body;
  await api.call('POST', '/api/uploads', {
    body: new Uint8Array(10),
    headers: { 'sec-fetch-site': 'same-origin', cookie: owner.cookie },
  });
  const {
    uploads: [upload],
  } = await list(people.developer);
  const { parts_url, ...seen } = upload;
  expect(parts_url).toContain(`${seen.upload_id}.`);
  expect((await list(people.read_only)).uploads).toEqual([seen]);
  expect((await run(people.read_only)).body.message).toContain('Only the roles owner and developer may run');
  const revoking = { currentPassword: PASSWORD, newPassword: 'another password', revokeKeys: true };
  expect((await people.billing.post('/change-password', revoking)).status).toBe(403);
  expect((await call(people.developer, 'keys.revoke', { keyId })).status).toBe(200);
});

test('the log names who did what from where, by member, and the jobs of the studio', async () => {
  const { owner, add, accountId, email } = await openTeam();
  const from = owner.address;
  const bob = await add('developer');
  await call(bob.browser, 'keys.create', { name: 'bobs' });
  await api.call('POST', '/api/media-tools/v1/image-convert', {
    body: { image_url: api.imageUrl, to_format: 'webp' },
    headers: { 'sec-fetch-site': 'same-origin', cookie: bob.browser.cookie },
  });
  const { data: all } = await call(owner, 'account.activity', {});
  const actions = all.events.map((event: { action: string }) => event.action);
  expect(actions).toEqual([
    'jobs.create',
    'keys.create',
    'team.switch',
    'team.accept',
    'team.invite',
    'sign-in',
  ]);
  expect(all.events.at(-2)).toMatchObject({
    person: email,
    subject: `${bob.email}: developer`,
    address: from,
  });
  const { data: his } = await call(owner, 'account.activity', { userId: bob.userId });
  expect(his.events.map((event: { person: string }) => event.person)).toEqual(Array(4).fill(bob.email));
  expect(his.events[1]).toMatchObject({ subject: 'bobs', address: from });
  await call(owner, 'team.remove', { userId: bob.userId, keys: 'keep' });
  const { data: actors } = await call(owner, 'account.actors');
  expect(actors.map((actor: { userId: string }) => actor.userId)).toContain(bob.userId);
  let exported = '';
  for await (const piece of exportAccount(api.ctx, accountId)) exported += piece;
  expect(JSON.parse(exported).activity[0]).toMatchObject({ action: 'team.remove', subject: bob.email });
});

describe('an invitation', () => {
  test('of an address that has an account is accepted by its person, who then belongs to both', async () => {
    const { owner, accountId } = await openTeam();
    const other = await openTeam();
    const token = await inviteByMail(api, mails, owner, {
      email: other.email.toUpperCase(),
      role: 'billing',
    });
    const signUp = await new TestBrowser(api).post('/sign-up/invitation', {
      token,
      name: 'X',
      password: PASSWORD,
    });
    expect([signUp.status, signUp.body.message]).toEqual([409, expect.stringContaining('Sign in')]);
    expect((await call(other.owner, 'team.accept', { token })).status).toBe(200);
    expect((await call(other.owner, 'account.me')).data).toMatchObject({ accountId, role: 'billing' });
    expect((await call(other.owner, 'keys.create', { name: 'x' })).status).toBe(403);
    await call(other.owner, 'team.switch', { accountId: other.accountId });
    expect((await call(other.owner, 'keys.create', { name: 'x' })).status).toBe(200);
    // Another browser begins where the person was last.
    const second = await openSession(api, other.userId);
    expect((await call(second, 'account.me')).data).toMatchObject({ accountId: other.accountId });
    expect((await call(other.owner, 'team.switch', { accountId: randomUUID() })).status).toBe(404);
  });

  test('says the same of an address with and without an account', async () => {
    const { owner } = await openTeam();
    const known = await openTeam();
    const [first, second] = [
      await call(owner, 'team.invite', { email: known.email, role: 'developer' }),
      await call(owner, 'team.invite', { email: newAddress('unknown'), role: 'developer' }),
    ];
    expect(first).toEqual(second);
  });

  test('works for its own address alone, while it is open', async () => {
    const { owner } = await openTeam();
    const stranger = await openTeam();
    const email = newAddress('late');
    const accept = (token: string) => call(stranger.owner, 'team.accept', { token });
    const token = await inviteByMail(api, mails, owner, { email, role: 'developer' });
    expect(await accept(token)).toMatchObject({ status: 403, message: expect.not.stringContaining(email) });
    expect(await accept('made-up')).toMatchObject({ status: 404 });

    const [{ id }] = (await call(owner, 'team.list')).data.invitations;
    expect((await call(stranger.owner, 'team.revoke', { id })).status).toBe(404);
    expect((await call(owner, 'team.resend', { id })).status).toBe(200);
    const renewed = mails.linkFor(email).searchParams.get('token') ?? '';
    const signUp = (given: string) =>
      new TestBrowser(api).post('/sign-up/invitation', { token: given, name: 'B', password: PASSWORD });
    expect((await signUp(token)).status).toBe(404);
    await api.ctx.db
      .update(schema.invitations)
      .set({ expiresAt: sql`now()` })
      .where(eq(schema.invitations.id, id));
    const expired = await signUp(renewed);
    expect([expired.status, expired.body]).toEqual([
      404,
      { ...(await signUp('made-up')).body, request_id: expired.body.request_id },
    ]);
    expect((await call(owner, 'team.list')).data.invitations).toMatchObject([{ isExpired: true }]);
    expect((await call(owner, 'team.revoke', { id })).status).toBe(200);
    expect((await call(owner, 'team.list')).data.invitations).toEqual([]);
  });

  test('leaves an unfinished sign-up to the reader of the mail, and never the service', async () => {
    const { owner } = await openTeam();
    const email = newAddress('squatted');
    await new TestBrowser(api).signUp(email, 'a password of a stranger');
    const token = await inviteByMail(api, mails, owner, { email, role: 'owner' });
    const signUp = { token, name: 'Bob', password: PASSWORD };
    expect((await new TestBrowser(api).post('/sign-up/invitation', signUp)).status).toBe(200);
    expect((await new TestBrowser(api).signIn(email, 'a password of a stranger')).status).toBe(401);
    expect((await new TestBrowser(api).signIn(email)).status).toBe(200);
    expect(await isServiceOwner(api.ctx, { email })).toBe(false);
  });

  test('is refused for a member, and beyond twenty mails a day', async () => {
    const { owner, email } = await openTeam();
    expect((await call(owner, 'team.invite', { email, role: 'developer' })).code).toBe('CONFLICT');
    expect((await call(owner, 'team.invite', { email: 'no address', role: 'developer' })).code).toBe(
      'BAD_REQUEST',
    );
    const codes = [];
    for (let at = 0; at < 21; at++) {
      codes.push((await call(owner, 'team.invite', { email: newAddress('many'), role: 'developer' })).code);
    }
    expect(codes.filter((code) => code === undefined)).toHaveLength(19);
    expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS');
  });

  test('is refused where no mail can be sent', async () => {
    const { owner, accountId, userId } = await openTeam();
    const ctx = { ...api.ctx, env: { ...api.ctx.env, PUBLIC_URL: 'https://darkroom.example.com' } };
    const invited = invite(
      ctx,
      { accountId, userId, address: null },
      { email: newAddress('x'), role: 'owner' },
    );
    await expect(invited).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('sends no mail'),
    });
    expect((await call(owner, 'team.list')).data.invitations).toEqual([]);
  });
});
