import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { exportAccount } from '../../../../server/api/account/export-account.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { openAccount, openSandbox } from '../../../../server/identity/accounts/index.ts';
import {
  type LoggedRequest,
  openRequestLog,
  purgeLoggedRequests,
} from '../../../../server/identity/request-log/index.ts';
import { RequestLog } from '../../../../server/identity/request-log/request-log.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ REQUEST_LOG_DAYS: '30' });
});
afterAll(() => api.close());

const { loggedRequests } = schema;
const getRequest = (accountId: string, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  accountId,
  keyId: null,
  createdAt: new Date(),
  method: 'POST',
  path: '/api/media-tools/v1/image-convert',
  status: 202,
  requestId: 'id',
  jobId: null,
  operationId: null,
  durationMs: 1.5,
  address: '203.0.113.7',
  userAgent: null,
  idempotencyKey: null,
  body: { to_format: 'webp' },
  problem: null,
  ...more,
});
const newAccount = async (email: string) => (await openAccount(api.ctx.db, email)).accountId;
const getCount = (accountId: string) =>
  api.ctx.db.$count(loggedRequests, eq(loggedRequests.accountId, accountId));

it('writes what waits in one statement, as it was given', async () => {
  const accountId = await newAccount('batch@example.com');
  const log = openRequestLog(api.ctx);
  const first = getRequest(accountId, {
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    problem: { code: 'x' },
  });
  log.add(first);
  for (let at = 0; at < 99; at++) log.add(getRequest(accountId));
  expect(await getCount(accountId)).toBe(0);
  await log.flush();
  expect(await getCount(accountId)).toBe(100);
  const [row] = await api.ctx.db
    .select()
    .from(loggedRequests)
    .where(eq(loggedRequests.accountId, accountId))
    .orderBy(loggedRequests.createdAt);
  expect(row).toMatchObject(first);
});

it('one account cannot take the room of others, and says what it left out', async () => {
  const lines: string[] = [];
  const ctx = { db: api.ctx.db, log: createLogger('warn', 'test', { write: (line) => lines.push(line) }) };
  const [loud, quiet] = [await newAccount('loud@example.com'), await newAccount('quiet@example.com')];
  const log = new RequestLog(ctx.db, ctx.log);
  for (let at = 0; at < 3_000; at++) log.add(getRequest(loud));
  log.add(getRequest(quiet));
  await log.flush();
  expect([await getCount(loud), await getCount(quiet)]).toEqual([500, 1]);
  expect(lines.join('')).toContain('"dropped":2500');
});

it('a request of a deleted account is not written, and the others of its batch are', async () => {
  const [gone, open] = [await newAccount('gone@example.com'), await newAccount('open@example.com')];
  await deleteAccount(api.ctx, gone);
  const log = openRequestLog(api.ctx);
  log.add(getRequest(gone));
  log.add(getRequest(open));
  await log.flush();
  expect([await getCount(gone), await getCount(open)]).toEqual([0, 1]);
});

it('keeps the newest 10,000 of an account, of which polls do not take the place', async () => {
  const accountId = await newAccount('busy@example.com');
  const insert = (count: number, method: string, status: number, path = '/api/v2/quotes') =>
    api.ctx.db.execute(sql`
      insert into logged_requests (account_id, created_at, method, path, status, request_id, duration_ms)
      select ${accountId}, now() - n * interval '1 second', ${method}, ${path}, ${status}::int, n, 1
      from generate_series(1, ${count}::int) n`);
  await insert(10_050, 'POST', 202);
  await insert(2_050, 'GET', 200);
  await insert(30, 'GET', 404);
  await insert(2_050, 'POST', 204, '/api/v2/worker/claims');
  const log = openRequestLog(api.ctx);
  log.add(getRequest(accountId, { requestId: 'newest' }));
  await log.flush();
  const rows = await api.ctx.db
    .select({
      method: loggedRequests.method,
      status: loggedRequests.status,
      count: sql<number>`count(*)::int`,
    })
    .from(loggedRequests)
    .where(eq(loggedRequests.accountId, accountId))
    .groupBy(loggedRequests.method, loggedRequests.status);
  const counts = Object.fromEntries(rows.map(({ method, status, count }) => [`${method} ${status}`, count]));
  expect((counts['POST 202'] ?? 0) + (counts['GET 404'] ?? 0)).toBe(10_000);
  expect(counts['GET 404']).toBe(30);
  expect((counts['GET 200'] ?? 0) + (counts['POST 204'] ?? 0)).toBe(2_000);
  expect(await api.ctx.db.$count(loggedRequests, eq(loggedRequests.requestId, 'newest'))).toBe(1);
});

it('requests are deleted after 30 days, exported until then, and gone with the account and its tests', async () => {
  const accountId = await newAccount('kept@example.com');
  const sandbox = await openSandbox(api.ctx.db, accountId);
  const log = openRequestLog(api.ctx);
  log.add(getRequest(accountId, { createdAt: new Date(Date.now() - 31 * 86_400_000), requestId: 'old' }));
  log.add(getRequest(accountId, { requestId: 'young' }));
  log.add(getRequest(sandbox, { requestId: 'test' }));
  await log.flush();
  expect(await purgeLoggedRequests(api.ctx)).toBeGreaterThan(0);
  let text = '';
  for await (const piece of exportAccount(api.ctx, accountId)) text += piece;
  const { requests, test_requests } = JSON.parse(text);
  expect(requests).toMatchObject([{ requestId: 'young', body: { to_format: 'webp' } }]);
  expect(test_requests).toMatchObject([{ requestId: 'test' }]);
  await deleteAccount(api.ctx, accountId);
  expect([await getCount(accountId), await getCount(sandbox)]).toEqual([0, 0]);
});

it('a database that fails costs the requests of a second, and nothing else', async () => {
  const lines: string[] = [];
  const ctx = { db: api.ctx.db, log: createLogger('warn', 'test', { write: (line) => lines.push(line) }) };
  const log = new RequestLog(ctx.db, ctx.log);
  const accountId = await newAccount('outage@example.com');
  await api.ctx.db.execute(sql`alter table logged_requests rename to away`);
  log.add(getRequest(accountId, { body: { to_format: 'a secret' } }));
  await log.flush();
  await api.ctx.db.execute(sql`alter table away rename to logged_requests`);
  log.add(getRequest(accountId));
  await log.flush();
  expect(await getCount(accountId)).toBe(1);
  expect(lines.join('')).toContain('requests not logged');
  expect(lines.join('')).not.toContain('a secret');
});
