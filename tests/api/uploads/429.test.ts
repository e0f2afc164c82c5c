import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

const HOUR_MS = 3_600_000;
let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

/** Creates uploads of the account, without their objects. */
async function waiting(count: number, bytes: number, expiresAt = new Date(Date.now() + HOUR_MS)) {
  const row = { accountId: api.accountId, bytes, sha256: Buffer.alloc(32), expiresAt };
  await api.ctx.db
    .insert(schema.uploads)
    .values(Array.from({ length: count }, () => ({ ...row, token: randomUUID() })));
}

async function waitingForLocks(): Promise<number | undefined> {
  const [row] = await api.ctx.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return row?.count;
}

const file = Buffer.from('0123456789');

/** Uploads as through a further web process on the same database. */
async function uploadThroughAnotherProcess(): Promise<{ status: number }> {
  const { ctx, apiKey } = api;
  const request = new Request('http://localhost/api/uploads', {
    method: 'POST',
    headers: { 'ocp-apim-subscription-key': apiKey },
    body: file,
  });
  return await handleApi({ ...ctx, env: { ...ctx.env } }, request);
}

describe('POST /uploads returns 429', () => {
  it('when the account has 2000 uploads, with advice and Retry-After', async () => {
    await waiting(2000, 1);
    const response = await api.upload(file);
    expect(response.status).toBe(429);
    const message = expect.stringMatching(/^2000 uploads .* Delete some, or wait until they expire/);
    expect(response.body).toEqual(problemBody('Too Many Requests', message));
    expect(response.headers.get('retry-after')).toBe('60');
  });

  it('when the uploads would exceed 10 GB', async () => {
    await waiting(1, 10_000_000_000 - 10);
    expect((await api.upload(file)).status).toBe(201);
    expect((await api.upload(file)).status).toBe(429);
  });

  it('when one that is unfinished, whose declared length is that of gzip, might exceed them', async () => {
    await waiting(1, 10_000_000_000 - 100);
    const headers = { 'content-encoding': 'gzip', 'content-length': '30' };
    let first: Promise<{ status: number }> | undefined;
    // An upload is counted before its body is read.
    const controller = await new Promise<ReadableStreamDefaultController>((pull) => {
      first = api.upload(new ReadableStream({ pull }, { highWaterMark: 0 }), headers);
    });
    expect((await api.upload(file)).status).toBe(429);
    controller.close();
    expect((await first)?.status).toBe(400);
  });

  it('to five of six concurrent uploads when one place is left', async () => {
    await waiting(1999, 1);
    // All six wait for the lock on the account and continue at the same moment.
    const responses = await api.ctx.db.transaction(async (tx) => {
      await tx.select().from(schema.accounts).for('update');
      // Each process knows only its own unfinished uploads.
      const sent = Array.from({ length: 6 }, () => uploadThroughAnotherProcess());
      await expect.poll(waitingForLocks).toBe(6);
      return sent;
    });
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 429, 429, 429, 429, 429]);
    expect(await api.ctx.db.$count(schema.uploads)).toBe(2000);
  });

  it('above the rate limit of the key', async () => {
    await api.close();
    api = await startApi({ RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_SECOND: '0.01' });
    expect((await api.upload(file)).status).toBe(201);
    expect((await api.upload(file)).status).toBe(429);
  });

  it('but not because of expired uploads', async () => {
    await waiting(2000, 1, new Date(Date.now() - 1));
    expect((await api.upload(file)).status).toBe(201);
  });
});
