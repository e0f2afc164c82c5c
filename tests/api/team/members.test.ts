import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deleteAccount } from '../../../server/api/account/delete-account.ts';
import { exportAccount } from '../../../server/api/account/export-account.ts';
import { handleApi } from '../../../server/api/api.ts';
import { schema } from '../../../server/base/database/db.ts';
import { setPassword } from '../../../server/identity/auth/index.ts';
import { mailAlerts } from '../../../server/money/spending/index.ts';
import { createMailLog } from '../../support/servers/mail-log.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { CHEAP_HASHER } from '../../support/service/cheap-hasher.ts';
import { openSession, PASSWORD, type TestBrowser } from '../../support/service/sign-in.ts';
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

/** Counts the transactions that wait for a lock. */
async function countWaiting(): Promise<number> {
  const rows = await api.ctx.db.execute(sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}

describe('a member', () => {
  test('who is removed loses access at once, keeps an account of their own, and may be invited again', async () => {
    const { owner, add, accountId, email } = await openTeam();
    const bob = await add('developer');
    const { apiKey } = (await call(bob.browser, 'keys.create', { name: 'stays' })).data;
    const session = { 'sec-fetch-site': 'same-origin', cookie: bob.browser.cookie };
    const body = { image_url: api.imageUrl, to_format: 'webp' };
    const job = await api.call('POST', '/api/media-tools/v1/image-convert', { body, headers: session });
    const url = `${api.ctx.env.PUBLIC_URL}/api/v2/requests/status/${job.body.request_id}/events`;
    const stream = await handleApi(api.ctx, new Request(url, { headers: session }));
    // What becomes of the key that he has made is for the owner to say.
    const unasked = await call(owner, 'team.remove', { userId: bob.userId });
    expect([unasked.status, JSON.stringify(unasked)]).toEqual([400, expect.stringContaining('keys')]);
    expect((await call(owner, 'team.remove', { userId: bob.userId, keys: 'keep' })).status).toBe(200);
    expect((await call(bob.browser, 'keys.list')).status).toBe(401);
    expect((await call(owner, 'keys.list')).data).toMatchObject([
      { name: 'stays', createdBy: expect.any(String), isOfFormerMember: true },
    ]);
    const [mail] = mails.lines.flatMap((line) => JSON.parse(line).mail ?? []).slice(-1);
    expect(mail).toMatchObject({
      to: bob.email,
      text: expect.stringContaining(`${email} has removed you from the account ${email} at Darkroom`),
    });
    expect(await stream.text()).toContain('QUEUED');
    expect((await call(owner, 'team.remove', { userId: bob.userId })).status).toBe(404);
    const browser = await openSession(api, bob.userId);
    expect((await call(browser, 'account.me')).data).toMatchObject({
      role: 'owner',
      accountId: bob.accountId,
    });
    expect((await call(browser, 'team.switch', { accountId })).status).toBe(404);
    const headers = { 'ocp-apim-subscription-key': apiKey };
    expect((await api.call('GET', '/api/v2/wallet', { headers })).status).toBe(200);
    const token = await inviteByMail(api, mails, owner, { email: bob.email, role: 'read_only' });
    expect((await call(browser, 'team.accept', { token })).status).toBe(200);
  });

  test('who is removed with their keys leaves no key that works, and those of others alone', async () => {
    const { owner, add } = await openTeam();
    const bob = await add('developer');
    const { apiKey } = (await call(bob.browser, 'keys.create', { name: 'of bob' })).data;
    const own = (await call(owner, 'keys.create', { name: 'of the owner' })).data;
    const { members } = (await call(owner, 'team.list')).data;
    expect(members.map(({ keys }: { keys: number }) => keys)).toEqual([1, 1]);
    expect((await call(owner, 'team.remove', { userId: bob.userId, keys: 'revoke' })).status).toBe(200);
    const wallet = async (key: string) => {
      const headers = { 'ocp-apim-subscription-key': key };
      return (await api.call('GET', '/api/v2/wallet', { headers })).status;
    };
    expect([await wallet(apiKey), await wallet(own.apiKey)]).toEqual([401, 200]);
  });

  test('gets another role from the next request on, and leaves by themselves', async () => {
    const { owner, add } = await openTeam();
    const bob = await add('read_only');
    expect((await call(bob.browser, 'keys.create', { name: 'x' })).status).toBe(403);
    await call(owner, 'team.changeRole', { userId: bob.userId, role: 'developer' });
    expect((await call(bob.browser, 'keys.create', { name: 'x' })).status).toBe(200);
    expect((await call(bob.browser, 'team.changeRole', { userId: bob.userId, role: 'owner' })).status).toBe(
      403,
    );
    expect((await call(bob.browser, 'team.leave')).status).toBe(200);
    expect((await call(bob.browser, 'account.me')).data).toMatchObject({ accountId: bob.accountId });
    expect((await call(owner, 'team.list')).data.members).toHaveLength(1);
  });

  test('who is removed while a call waits changes nothing more', async () => {
    const { add, accountId } = await openTeam();
    const bob = await add('owner');
    const { db } = api.ctx;
    const { accounts, invitations, memberships } = schema;
    const isOfTeam = eq(invitations.accountId, accountId);
    const late = await db.transaction(async (tx) => {
      await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update');
      const invited = call(bob.browser, 'team.invite', { email: newAddress('friend'), role: 'owner' });
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 5_000 });
      await tx.delete(memberships).where(eq(memberships.userId, bob.userId));
      return { invited };
    });
    expect(await late.invited).toMatchObject({ status: 403 });
    expect(await db.$count(invitations, isOfTeam)).toBe(0);
  });

  test.each(['becomes a developer', 'leaves'])('who %s has no open invitation left', async (change) => {
    const { owner, add, accountId } = await openTeam();
    const bob = await add('owner');
    await inviteByMail(api, mails, bob.browser, { email: newAddress('friend'), role: 'owner' });
    const changed =
      change === 'leaves'
        ? await call(bob.browser, 'team.leave')
        : await call(owner, 'team.changeRole', { userId: bob.userId, role: 'developer' });
    expect(changed.status).toBe(200);
    const { invitations } = schema;
    expect(await api.ctx.db.$count(invitations, eq(invitations.accountId, accountId))).toBe(0);
  });

  test('who is the last owner neither leaves nor gives up the role; of two, either may', async () => {
    const { owner, add, accountId, userId, email } = await openTeam();
    const bob = await add('owner');
    const demote = (browser: TestBrowser, id: string) =>
      call(browser, 'team.changeRole', { userId: id, role: 'read_only' });
    const outcomes = await Promise.all([demote(owner, bob.userId), demote(bob.browser, userId)]);
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    await api.ctx.db
      .update(schema.memberships)
      .set({ role: 'owner' })
      .where(eq(schema.memberships.accountId, accountId));
    await call(owner, 'team.switch', { accountId });
    expect((await call(owner, 'team.leave')).status).toBe(200);
    expect(await call(bob.browser, 'team.leave')).toMatchObject({ code: 'CONFLICT' });
    expect(await demote(bob.browser, bob.userId)).toMatchObject({ code: 'CONFLICT' });
    // The person who opened the account does not come back by its former address.
    const { data: own } = await call(owner, 'account.me');
    expect(own).toMatchObject({ role: 'owner', email });
    expect(own.accountId).not.toBe(accountId);
    expect((await call(bob.browser, 'wallet.summary')).data.balanceUsd).toBe('5.00');
  });
});

describe('the deletion of an account', () => {
  test('ends its team; the members keep accounts of their own', async () => {
    const { owner, add, accountId, userId, email } = await openTeam();
    const bob = await add('developer');
    await inviteByMail(api, mails, owner, { email: newAddress('open'), role: 'billing' });
    let exported = '';
    await openSession(api, userId);
    for await (const piece of exportAccount(api.ctx, accountId, bob.userId)) exported += piece;
    const { members, invitations, sessions } = JSON.parse(exported);
    // Only the owner may know where the owner has signed in.
    expect(sessions).toHaveLength(1);
    expect([members.length, invitations.length]).toEqual([2, 1]);
    expect(exported).not.toContain('tokenSha256');
    expect((await call(bob.browser, 'account.delete', { email: bob.email, password: PASSWORD })).status).toBe(
      403,
    );
    await setPassword(api.ctx.db, { accountId, email, password: PASSWORD }, CHEAP_HASHER);
    const again = await openSession(api, userId);
    expect((await call(again, 'account.delete', { email, password: PASSWORD })).status).toBe(200);
    expect((await call(bob.browser, 'account.me')).data).toMatchObject({ role: 'owner', email: bob.email });
    const isTheirs = eq(schema.invitations.accountId, accountId);
    expect(await api.ctx.db.$count(schema.invitations, isTheirs)).toBe(0);
    expect(await api.ctx.db.$count(schema.users, eq(schema.users.email, email))).toBe(0);
  });

  test('is refused to the only owner of another one, and leaves a co-owner the way to sign in', async () => {
    const { owner, add, accountId, email } = await openTeam();
    const bob = await add('owner');
    await call(owner, 'team.leave');
    const refused = deleteAccount(api.ctx, bob.accountId, bob.userId);
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(bob.email),
    });
    await deleteAccount(api.ctx, accountId, bob.userId);
    await deleteAccount(api.ctx, bob.accountId, bob.userId);
    expect((await call(owner, 'account.me')).data).toMatchObject({ email, role: 'owner' });
    const team = await openTeam();
    const eve = await team.add('owner');
    await deleteAccount(api.ctx, team.accountId, eve.userId);
    expect((await call(team.owner, 'account.me')).data).toMatchObject({ email: team.email, role: 'owner' });
  });
});

describe('the deletions of two accounts at a time', () => {
  test.each(['owner', 'developer'] as const)(
    'both succeed where each person is a %s of the other account',
    async (role) => {
      const teams = [await openTeam(), await openTeam()] as const;
      const { db } = api.ctx;
      const isMember = teams.map(({ accountId }, index) => {
        return { accountId, userId: teams[1 - index]?.userId ?? '', role };
      });
      await db.insert(schema.memberships).values(isMember);
      const begun = await db.transaction(async (tx) => {
        // Both have begun once they wait for this lock, or one for the other.
        await tx.execute(sql`lock table audit_events in share mode`);
        const deletions = teams.map(({ accountId, userId }) => deleteAccount(api.ctx, accountId, userId));
        const all = Promise.allSettled(deletions);
        await vi.waitFor(async () => expect(await countWaiting()).toBe(2), { timeout: 5_000 });
        return { all };
      });
      expect(await begun.all).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    },
  );
});

test('alerts about spending go to all who may change the cap', async () => {
  const { add, accountId, email } = await openTeam();
  const billing = await add('billing');
  await add('developer');
  const month = new Date().toISOString().slice(0, 7);
  const alert = { accountId, month, share: 50, spent: 1n, cap: 2n };
  await api.ctx.db.insert(schema.spendingAlerts).values(alert);
  const before = mails.lines.length;
  await mailAlerts(api.ctx);
  const sent = mails.lines.slice(before).flatMap((line) => JSON.parse(line).mail?.to ?? []);
  expect(sent.toSorted()).toEqual([billing.email, email].toSorted());
});
