import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAccountCommand } from '../../../scripts/commands/account-command.ts';
import { listDeliveries } from '../../../server/io/webhooks/index.ts';
import { claimJob, completeJob, failJob } from '../../../server/jobs/index.ts';
import {
  findReceipt,
  listStatementMonths,
  mailAlerts,
  readStatement,
} from '../../../server/money/spending/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { openDashboard } from '../../support/service/dashboard.ts';

const logLines: string[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ SYNC_TIMEOUT_SECONDS: '1', LOG_LEVEL: 'warn' }, '1', undefined, logLines);
});
afterAll(() => api.close());

const convert = () => api.convert({ image_url: api.imageUrl, to_format: 'webp' });
const setCap = (usd: string) =>
  runAccountCommand(['--email', 'owner@example.com', '--credit-usd', '0', '--account-cap-usd', usd], {
    DATABASE_URL: api.ctx.env.DATABASE_URL,
  });

async function end(id: string, isGood = true): Promise<void> {
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error('the job has ended');
  const result = { files: [], engine: 'codec', warnings: [] };
  await (isGood
    ? completeJob(api.ctx, attempt, result)
    : failJob(api.ctx, attempt, { status: 'FAILED', message: 'damaged' }));
}

async function runToEnd(): Promise<void> {
  await end((await convert()).body.request_id);
}

const events = async () =>
  (await listDeliveries(api.ctx.db, { accountId: api.accountId }))
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === 'account.spending')
    .toReversed();
const mails = () => logLines.filter((line) => line.includes('of your monthly cap is spent')).length;

describe('the cap of an account', () => {
  it('counts what all keys spend and hold, and frees what a failed job held', async () => {
    await setCap('0.006');
    const ids = [];
    for (let at = 0; at < 3; at++) {
      const { status, body } = await convert();
      expect(status).toBe(202);
      ids.push(body.request_id);
    }
    const refused = await convert();
    expect(refused.status).toBe(402);
    expect(refused.body.message).toMatch(/cap of this account/);
    const moderation = { image_url: `${api.files.url}/subject.png` };
    expect((await api.post('/content-safety/v1/image-moderation', moderation)).status).toBe(403);
    for (const id of ids) await end(id, false);
    expect((await convert()).status).toBe(202);
    expect(await events()).toEqual([]);
  });

  it('alerts at 50, 80 and 100 %, once each, by event and mail', async () => {
    const { id } = (await api.ctx.db.$client`select id from jobs where status = 'QUEUED'`)[0] ?? {};
    await end(id, false);
    await api.ctx.db
      .$client`update accounts set event_url = ${`${api.files.url}/events`} where id = ${api.accountId}`;
    await setCap('5');
    await runToEnd();
    await runToEnd();
    await runToEnd();
    expect(await events()).toEqual([]);
    // What was spent before counts for a cap that comes later.
    await setCap('0.01');
    expect(await events()).toEqual([
      { type: 'account.spending', share: 50, spent_usd: '0.006', cap_usd: '0.01' },
    ]);
    await runToEnd();
    await runToEnd();
    expect((await events()).map(({ share }) => share)).toEqual([50, 80, 100]);
    await expect.poll(mails).toBe(3);
    expect((await convert()).status).toBe(402);
    // Of the raised cap 83 % are spent so far.
    await setCap('0.012');
    expect(await events()).toHaveLength(3);
    await runToEnd();
    expect((await events()).at(-1)).toEqual({
      ...{ type: 'account.spending', share: 100, spent_usd: '0.012', cap_usd: '0.012' },
    });
    expect(await events()).toHaveLength(4);
    await mailAlerts(api.ctx);
    await expect.poll(mails).toBe(4);
  });

  it('sends the events that came before there was an address for them, once', async () => {
    const { call, accountId } = await openDashboard(api, 'late@example.com');
    await api.ctx.db
      .$client`insert into account_spending (account_id, month, reserved_micro_usd, charged_micro_usd)
      values (${accountId}, to_char(now() at time zone 'UTC', 'YYYY-MM'), 900000, 900000)`;
    await call.spending.setCap({ amountUsd: '1' });
    const sent = async () =>
      (await listDeliveries(api.ctx.db, { accountId })).map(({ body }) => JSON.parse(body).share).toSorted();
    expect(await sent()).toEqual([]);
    await call.spending.setEventUrl({ url: `${api.files.url}/events` });
    expect(await sent()).toEqual([50, 80]);
    await call.spending.setEventUrl({ url: `${api.files.url}/events` });
    expect(await sent()).toEqual([50, 80]);
  });

  it('has its event in the OpenAPI document', async () => {
    const { webhooks, components } = (await api.call('GET', '/api/openapi.json')).body;
    expect(webhooks.accountSpending.post.operationId).toBe('receiveSpending');
    expect(Object.keys(components.schemas.SpendingEvent.properties)).toEqual(
      Object.keys((await events())[0]),
    );
  });

  it('is set in the dashboard, as is the event address', async () => {
    const { call } = await openDashboard(api, 'spender@example.com');
    await call.spending.setCap({ amountUsd: '2.50' });
    expect(await call.spending.settings()).toEqual({
      monthlyCapUsd: '2.50',
      eventUrl: null,
      reservedUsd: '0.00',
      chargedUsd: '0.00',
    });
    await call.spending.setEventUrl({ url: `${api.files.url}/events` });
    await call.spending.setCap({ amountUsd: null });
    expect(await call.spending.settings()).toMatchObject({
      monthlyCapUsd: null,
      eventUrl: `${api.files.url}/events`,
    });
    await expect(call.spending.setEventUrl({ url: 'http://10.0.0.1/' })).rejects.toThrow(/^url: /);
    await expect(call.spending.setCap({ amountUsd: '0' })).rejects.toThrow();
  });
});

describe('a statement', () => {
  it('adds up to the wallet, with a receipt for each top-up', async () => {
    const [month = ''] = await listStatementMonths(api.ctx.db, api.accountId);
    const { opening, closing, lines } = await readStatement(api.ctx.db, api.accountId, month);
    expect([opening, closing]).toEqual([0n, 988_000n]);
    expect(lines).toMatchObject([
      { kind: 'top_up', amount: 1_000_000n, reference: 'test', count: 1 },
      { kind: 'capture', category: 'media-convert-image', amount: -12_000n, count: 6, entryId: null },
    ]);
    const entryId = lines[0]?.entryId ?? '';
    expect(await findReceipt(api.ctx.db, api.accountId, entryId)).toMatchObject({
      kind: 'top_up',
      amount: 1_000_000n,
    });
  });

  it.each(['2026-13', 'x', "2026-11'"])('of %j does not exist', async (month) => {
    await expect(readStatement(api.ctx.db, api.accountId, month)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each(['0', 'x', '99999999999999999999'])('has no receipt %j', async (entry) => {
    await expect(findReceipt(api.ctx.db, api.accountId, entry)).rejects.toMatchObject({ code: 'not_found' });
  });
});
