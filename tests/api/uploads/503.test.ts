// @module-tag long

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('POST /uploads returns 503 when another machine keeps the turn of the account, and 201 after that', async () => {
  const file = Buffer.from('0123456789');
  await api.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select from accounts where id = ${api.accountId} for no key update`);
    const startedAtMs = performance.now();
    const { status, headers } = await api.upload(file);
    expect(status).toBe(503);
    // Sooner than by the limit of a statement.
    expect(performance.now() - startedAtMs).toBeLessThan(29_000);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
  expect((await api.upload(file)).status).toBe(201);
});
