import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { schema } from '../../../server/base/database/db.ts';
import { createProber } from '../../../server/io/probing/index.ts';
import { OPERATIONS } from '../../support/operations/hostile-probes.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const PER_HOUR = 3;
const module = new URL('../../support/operations/hostile-probes.ts', import.meta.url);

let api: TestApi;
let probing: TestApi;
let files: FileServer;
let probes = 0;
beforeAll(async () => {
  const environment = { FAILURES_PER_HOUR: String(PER_HOUR) };
  api = await startApi(environment);
  probing = await startApi(environment, '1', { operations: OPERATIONS, module });
  const prober = createProber({ operationsModule: fileURLToPath(module), timeoutMs: 600_000 });
  Object.assign(probing.ctx, {
    prober: {
      probe(...given: Parameters<typeof prober.probe>) {
        probes += 1;
        return prober.probe(...given);
      },
    },
  });
  files = await serveFiles({ '/spin': Buffer.from('spin') });
});
beforeEach(async () => {
  for (const { ctx } of [api, probing]) await ctx.db.execute(sql`truncate failure_budgets`);
});
afterAll(async () => {
  await files.close();
  await api.close();
  await probing.close();
});

/** Posts as a client that leaves once something has happened. */
async function leave(from: TestApi, path: string, body: object, hasHappened: () => Promise<boolean>) {
  const leaving = new AbortController();
  const response = from.call('POST', path, {
    body,
    headers: { authorization: `Bearer ${from.apiKey}`, 'ocp-apim-subscription-key': from.apiKey },
    signal: leaving.signal,
  });
  await Promise.race([expect.poll(hasHappened).toBe(true), response]);
  leaving.abort();
  return (await response).status;
}

async function spent({ ctx }: TestApi): Promise<number> {
  const [row] = await ctx.db.execute<{ spent: number }>(sql`select spent from failure_budgets`);
  return row?.spent ?? 0;
}

/** Leaves a moderation that a runner has held for `seconds`. */
async function leaveModeration(seconds: number) {
  const { jobs, queueEntries } = schema;
  const body = { image_url: `${api.files.url}/subject.png`, categories: ['Sexual'] };
  return await leave(api, '/api/content-safety/v1/image-moderation', body, async () => {
    const startedAt = sql`now() - ${seconds} * interval '1 second'`;
    const begun = await api.ctx.db
      .update(jobs)
      .set({ status: 'PROCESSING', attempt: 1, startedAt })
      .where(eq(jobs.status, 'QUEUED'))
      .returning();
    if (begun.length > 0) await api.ctx.db.update(queueEntries).set({ lockedBy: 'a runner' });
    return begun.length > 0;
  });
}

test('a moderation that its client leaves counts by the seconds of its run', async () => {
  await leaveModeration(25);
  await expect.poll(() => spent(api)).toBeGreaterThan(2.9);
});

test('after some of them an account gets 429', async () => {
  const statuses: number[] = [];
  for (let count = 0; count <= PER_HOUR; count++) statuses.push(await leaveModeration(0));
  expect(statuses.at(-1)).toBe(429);
  expect(await api.ctx.db.$count(schema.jobs, eq(schema.jobs.status, 'PROCESSING'))).toBe(0);
});

test.each([
  ['a request', '/api/test', (image_url: string) => ({ image_url })],
  ['a quote', '/api/v2/quotes', (image_url: string) => ({ model_id: 'test-probe', request: { image_url } })],
])('%s whose client leaves while its file is probed counts as a failure', async (_, path, body) => {
  const before = probes;
  expect(await leave(probing, path, body(`${files.url}/spin`), async () => probes > before)).toBe(499);
  expect(await spent(probing)).toBeGreaterThan(0.9);
});
