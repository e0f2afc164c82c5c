import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../../../server/db.ts';
import { startApi, type TestApi } from '../../support/api.ts';

const HOUR_MS = 3_600_000;
let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

/** Uploads of the account that wait, without their objects. */
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

describe('POST /uploads answers 429', () => {
  it('when 200 uploads wait for the account, and says what to do and when to come again', async () => {
    await waiting(200, 1);
    const answer = await api.upload(file);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: 'Too Many Requests',
      message: expect.stringMatching(/^200 uploads .* Use them, or wait until they expire/),
    });
    expect(answer.headers.get('retry-after')).toBe('60');
  });

  it('when the bytes that wait would be more than 2 GB', async () => {
    await waiting(1, 2_000_000_000 - 10);
    expect((await api.upload(file)).status).toBe(201);
    expect((await api.upload(file)).status).toBe(429);
  });

  it('to all but one of six at once for the last place', async () => {
    await waiting(199, 1);
    // All six are let go in the same moment, from where they wait for the account.
    const answers = await api.ctx.db.transaction(async (tx) => {
      await tx.select().from(schema.accounts).for('update');
      const sent = Array.from({ length: 6 }, () => api.upload(file));
      await expect.poll(waitingForLocks).toBe(6);
      return sent;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 429, 429, 429, 429, 429]);
    expect(await api.ctx.db.$count(schema.uploads)).toBe(200);
  });

  it('beyond the rate of the key', async () => {
    await api.close();
    api = await startApi({ RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_SECOND: '0.01' });
    expect((await api.upload(file)).status).toBe(201);
    expect((await api.upload(file)).status).toBe(429);
  });

  it('not for uploads that have expired', async () => {
    await waiting(200, 1, new Date(Date.now() - 1));
    expect((await api.upload(file)).status).toBe(201);
  });
});
