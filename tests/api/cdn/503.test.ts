import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveResult } from '../../../server/api/results-listener.ts';
import { closeDb, openDb } from '../../../server/base/database/db.ts';
import { reportOutages } from '../../../server/io/storage/open-storage.ts';
import { startCdn, type TestCdn } from '../../support/service/cdn.ts';

/** Port at which nothing listens. */
const NOWHERE = 'postgres://postgres@127.0.0.1:1/darkroom';

let cdn: TestCdn;
beforeAll(async () => {
  cdn = await startCdn();
});
afterAll(() => cdn.stop());

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await response.json()).toMatchObject({
    code: 'unavailable',
    request_id: response.headers.get('x-request-id'),
  });
}

test('GET /cdn returns 503 with Retry-After during an outage of the database', async () => {
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  expect((await serveResult(cdn.ctx, new Request(url))).status).toBe(200);
  const db = openDb(NOWHERE);
  await expectUnavailable(await serveResult({ ...cdn.ctx, db }, new Request(url)));
  await closeDb(db);
});

test('GET /cdn returns 503 with Retry-After during an outage of the store', async () => {
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  const get = () => Promise.reject(new Error('the bucket is away'));
  const storage = reportOutages({ ...cdn.ctx.storage, get }, 0);
  await expectUnavailable(await serveResult({ ...cdn.ctx, storage }, new Request(url)));
});
