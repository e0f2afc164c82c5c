import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { CLAIMS, createOwnWorker, getDigest, type OwnWorker } from '../../support/service/own-worker.ts';

const PER_HOUR = 3;

let api: TestApi;
let worker: OwnWorker;
let png: Buffer<ArrayBuffer>;
let claimId: string;
beforeAll(async () => {
  api = await startApi({ FAILURES_PER_HOUR: String(PER_HOUR), RATE_LIMIT_BURST: '1000' }, '0');
  worker = createOwnWorker(api);
  png = await drawRedBall();
  await worker.submit();
  claimId = (await worker.claim()).body.claim_id;
});
beforeEach(() => api.ctx.db.execute(sql`truncate failure_budgets`));
afterAll(() => api.close());

async function spent(): Promise<number> {
  const [row] = await api.ctx.db.execute<{ spent: number }>(sql`select spent from failure_budgets`);
  return row?.spent ?? 0;
}

test('files of a self-hosted worker that are read for nothing count as failures, and after some of them come 429', async () => {
  const statuses: number[] = [];
  for (let count = 0; count <= PER_HOUR; count++) statuses.push((await worker.send(claimId, png)).status);
  expect(statuses).toEqual([400, 400, 400, 429]);
});

test('a file of a self-hosted worker that leaves while it is read counts by the seconds', async () => {
  const { prober } = api.ctx;
  const leaving = new AbortController();
  let isRead = false;
  // A reader of a hostile file never ends by itself.
  Object.assign(api.ctx, {
    prober: {
      probe: (_file: object, { signal, onStart }: { signal: AbortSignal; onStart?: () => void }) =>
        new Promise((_resolve, reject) => {
          onStart?.();
          isRead = true;
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    },
  });
  try {
    const response = api.call('POST', `${CLAIMS}/${claimId}/files?position=0&file=0&name=output.webp`, {
      body: png,
      headers: { ...worker.key, 'content-type': 'image/webp', 'content-digest': getDigest(png) },
      signal: leaving.signal,
    });
    await expect.poll(() => isRead).toBe(true);
    leaving.abort();
    await response.catch(() => {});
    await expect.poll(spent).toBeGreaterThan(0.9);
  } finally {
    Object.assign(api.ctx, { prober });
  }
});
