import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, type Db, openDb } from '../../../server/base/database/db.ts';
import { reportOutages } from '../../../server/io/storage/open-storage.ts';
import { type Relay, startRelay } from '../../support/servers/relay.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';

const POSTGRES_PORT = '5432';

let api: TestApi;
let folder: string;
let opened: Db[];
let original: Db;
beforeEach(async () => {
  api = await startApi();
  folder = await mkdtemp(join(tmpdir(), 'relay-'));
  opened = [];
  original = api.ctx.db;
});
afterEach(async () => {
  await Promise.all(opened.map(closeDb));
  Object.assign(api.ctx, { db: original });
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

/** Makes the service use another pool of its database. */
function openPool(url: string, options: Parameters<typeof openDb>[1]): void {
  const db = openDb(url, options);
  opened.push(db);
  Object.assign(api.ctx, { db });
}

/** Puts a relay between the service and its database. */
async function relayDatabase(recoveryMs: number): Promise<Relay> {
  const address = new URL(api.ctx.env.DATABASE_URL ?? '');
  const file = `.s.PGSQL.${address.port || POSTGRES_PORT}`;
  const target = { path: join(address.searchParams.get('host') ?? '', file) };
  const relay = await startRelay(target, { path: join(folder, file) });
  address.searchParams.set('host', folder);
  openPool(address.href, { recoveryMs });
  return relay;
}

const wallet = () =>
  api.call('GET', '/api/v2/wallet', { headers: { authorization: `Bearer ${api.apiKey}` } });
const body = () => ({ image_url: api.imageUrl, to_format: 'webp' });

function expectUnavailable({ status, body: problem, headers }: ApiResponse): void {
  expect([status, problem.error]).toEqual([503, 'Service Unavailable']);
  expect(headers.get('error-code')).toBe('unavailable');
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

describe('during an outage of the database', () => {
  it('every request returns 503 with Retry-After, and none holds its Idempotency-Key', async () => {
    const relay = await relayDatabase(200);
    const { body: job } = await api.convert(body());
    await relay.takeAway();
    const requests = [
      wallet(),
      api.status(job.request_id),
      api.convert(body(), { 'idempotency-key': 'during' }),
      api.removeBg({ image_url: api.imageUrl }),
      api.upload(Buffer.from('bytes')),
      api.call('GET', '/api/health'),
      api.call('GET', '/api/v2/requests', { headers: { authorization: `Bearer ${api.apiKey}` } }),
    ];
    for (const response of await Promise.all(requests)) expectUnavailable(response);
    await relay.bringBack();
    expect((await api.convert(body(), { 'idempotency-key': 'during' })).status).toBe(202);
  });

  it('a request waits for the end of a short one', async () => {
    const relay = await relayDatabase(60_000);
    await relay.takeAway();
    const waiting = [wallet(), api.convert(body())];
    await expect.poll(async () => (await api.call('GET', '/api/health')).status).toBe(503);
    await relay.bringBack();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 202]);
  });

  it('the first requests after it succeed, once health says ok', async () => {
    const relay = await relayDatabase(60_000);
    await Promise.all(Array.from({ length: 12 }, wallet));
    await relay.takeAway();
    await relay.bringBack();
    await expect.poll(async () => (await api.call('GET', '/api/health')).status).toBe(200);
    const requests = Array.from({ length: 12 }, (_, index) => (index % 2 ? wallet() : api.convert(body())));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toEqual(requests.map((_, index) => (index % 2 ? 200 : 202)));
  });
});

it('POST /media-tools/v1/image-convert returns 503 during an outage of the store, and may be repeated with its key', async () => {
  const { storage } = api.ctx;
  const putFile = () => Promise.reject(new Error('the bucket is away'));
  Object.assign(api.ctx, { storage: reportOutages({ ...storage, putFile }, 0) });
  expectUnavailable(await api.convert(body(), { 'idempotency-key': 'store' }));
  expectUnavailable(await api.upload(Buffer.from('bytes')));
  Object.assign(api.ctx, { storage });
  expect((await api.convert(body(), { 'idempotency-key': 'store' })).status).toBe(202);
});

describe('with every connection of the pool at work', () => {
  it('the status resource waits for one', async () => {
    const { body: job } = await api.convert(body());
    openPool(api.ctx.env.DATABASE_URL ?? '', { connectionsMax: 2 });
    const work = Array.from({ length: 4 }, () => api.ctx.db.execute(sql`select pg_sleep(0.5)`));
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.status(job.request_id)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(work);
  });

  it('it returns 503 with Retry-After when a statement runs out of time', async () => {
    const { body: job } = await api.convert(body());
    const locking = original.transaction(async (tx) => {
      await tx.execute(sql`lock table jobs in access exclusive mode`);
      openPool(api.ctx.env.DATABASE_URL ?? '', { connectionsMax: 2, statementTimeoutMs: 200 });
      const responses = await Promise.all(Array.from({ length: 6 }, () => api.status(job.request_id)));
      for (const response of responses) expectUnavailable(response);
    });
    await locking;
    expect((await api.status(job.request_id)).status).toBe(200);
  });
});
