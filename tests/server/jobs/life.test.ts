import { and, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { formatWarning } from '../../../models/core/runtime/run-warnings.ts';
import { schema } from '../../../server/base/database/db.ts';
import {
  type Attempt,
  type Claim,
  claimJob,
  completeJob,
  deleteExpiredFiles,
  endOverdueJobs,
  failJob,
  getJob,
  reportProgress,
  type StoredFile,
  uncountAttempt,
} from '../../../server/jobs/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { createJobFixture, type JobFixture } from '../../support/service/job-fixture.ts';

let fixture: JobFixture;
let id: string;

beforeEach(async () => {
  fixture = await createJobFixture({ monthlyCap: 10_000n });
  id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' });
});
afterEach(async () => {
  expect(await reconcileBalances(fixture.ctx.db)).toEqual({ ok: true, faults: [] });
  await fixture.close();
});

async function claim(): Promise<Claim> {
  const claimed = await claimJob(fixture.ctx.db, id);
  if (!claimed) throw new Error('the job has ended already');
  return claimed;
}
const FLATTENED = formatWarning('flattened');
function complete(attempt: Attempt, name = 'a.png'): Promise<boolean> {
  const file: StoredFile = {
    key: `outputs/${id}/${attempt.attempt}/${name}`,
    name,
    mediaType: 'image/png',
    bytes: 3,
    sha256: Buffer.alloc(32),
  };
  return completeJob(fixture.ctx, attempt, { files: [file], engine: 'test', warnings: [FLATTENED] });
}
const fail = (attempt: Attempt, status: 'FAILED' | 'ERROR') =>
  failJob(fixture.ctx, attempt, { status, message: 'the image is damaged' });
const view = (): Promise<JobView> => getJob(fixture.ctx, { accountId: fixture.actor.accountId, id });
const wallet = () => readBalance(fixture.ctx.db, fixture.actor.accountId);
async function spent(): Promise<bigint | undefined> {
  const [row] = await fixture.ctx.db.select().from(schema.keySpending);
  return row?.spent;
}

describe('a job', () => {
  test('is PROCESSING once claimed, with its input and attempt', async () => {
    const claimed = await claim();
    expect(claimed).toMatchObject({ id, attempt: 1, operationId: 'test-run', params: { behaviour: 'copy' } });
    expect(claimed.files).toEqual([
      {
        role: 'input',
        position: 0,
        name: 'input',
        fileName: null,
        key: expect.stringContaining(`inputs/${id}/`),
        sourceUrl: null,
      },
    ]);
    expect(await view()).toMatchObject({ status: 'PROCESSING', billing: { held_usd: '0.002' } });
  });

  test('is charged when it completes, and shows the URLs of its files', async () => {
    expect(await complete(await claim())).toBe(true);
    expect(await view()).toMatchObject({
      status: 'COMPLETED',
      error: null,
      output: { media_url: [expect.stringContaining('a.png')], media_type: 'image/png' },
      completed_at: expect.stringMatching(/\.\d{3}Z$/),
      progress: 1,
      billing: { held_usd: '0.00', charged_usd: '0.002' },
      warnings: [FLATTENED.message],
    });
    expect(await wallet()).toEqual({ balance: 998_000n, held: 0n, available: 998_000n });
    expect(await spent()).toBe(2_000n);
  });

  test('keeps the structure of its warnings, and shows their messages', async () => {
    await complete(await claim());
    const stored = async () => (await fixture.ctx.db.select().from(schema.jobs))[0]?.warnings;
    expect(await stored()).toEqual([FLATTENED]);
    expect((await view()).warnings).toEqual([FLATTENED.message]);
    // An earlier version stored the messages alone.
    await fixture.ctx.db.update(schema.jobs).set({ warnings: ['Look closely.', FLATTENED] });
    expect((await view()).warnings).toEqual(['Look closely.', FLATTENED.message]);
  });

  test.each(['FAILED', 'ERROR'] as const)('that ends in %s costs nothing', async (status) => {
    expect(await fail(await claim(), status)).toBe(true);
    expect(await view()).toMatchObject({
      status,
      error: status === 'ERROR' ? 'processing_failed: the image is damaged' : 'the image is damaged',
      output: null,
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    expect(await wallet()).toEqual({ balance: 1_000_000n, held: 0n, available: 1_000_000n });
    expect(await spent()).toBe(0n);
  });

  test('with a price of 0 completes and fails without a hold', async () => {
    id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' }, { price: 0n });
    expect(await complete(await claim())).toBe(true);
    id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' }, { price: 0n });
    expect(await fail(await claim(), 'FAILED')).toBe(true);
    expect((await wallet()).balance).toBe(1_000_000n);
  });

  test('reports when its result has expired', async () => {
    await complete(await claim());
    await fixture.ctx.db.update(schema.files).set({ expiresAt: new Date(0) });
    expect(await view()).toMatchObject({
      status: 'COMPLETED',
      output: { media_url: [], media_type: 'image/png' },
      warnings: [FLATTENED.message, expect.stringContaining('expired')],
    });
  });

  test('releases its input at its end, and only then', async () => {
    const [input] = (await claim()).files;
    const inputKey = input?.key ?? '';
    expect(await deleteExpiredFiles(fixture.ctx)).toBe(0);
    await (await fixture.ctx.storage.get(inputKey)).stream.forEach(() => {});
    await complete({ id, attempt: 1 });
    expect(await deleteExpiredFiles(fixture.ctx, { jobId: id })).toBe(1);
    await expect(fixture.ctx.storage.get(inputKey)).rejects.toMatchObject({ code: 'not_found' });
    expect(await deleteExpiredFiles(fixture.ctx)).toBe(0);
  });
});

describe('a superseded attempt', () => {
  test('cannot change the job, which is charged once', async () => {
    const zombie = await claim();
    const current = await claim();
    expect(current.attempt).toBe(2);
    expect(await complete(zombie, 'zombie.png')).toBe(false);
    expect(await fail(zombie, 'ERROR')).toBe(false);
    await reportProgress(fixture.ctx.db, zombie, 0.9);
    expect(await view()).toMatchObject({ status: 'PROCESSING', progress: 0 });
    expect(await complete(current)).toBe(true);
    expect(await complete(zombie, 'zombie.png')).toBe(false);
    expect((await view()).output?.media_url).toHaveLength(1);
    expect((await wallet()).balance).toBe(998_000n);
  });

  test('cannot win a race: of many concurrent completions, one counts', async () => {
    await claim();
    const attempts = [1, 1, 1, 2, 3].map((attempt) => complete({ id, attempt }, `${attempt}.png`));
    // The first attempt is the current one, and may report its end repeatedly.
    expect(await Promise.all(attempts)).toEqual([true, true, true, false, false]);
    const outputs = await fixture.ctx.db
      .select()
      .from(schema.files)
      .where(and(eq(schema.files.jobId, id), eq(schema.files.role, 'output')));
    expect(outputs).toHaveLength(1);
    expect((await wallet()).balance).toBe(998_000n);
  });
});

describe('the end of a job', () => {
  test('is final', async () => {
    const attempt = await claim();
    await fail(attempt, 'FAILED');
    expect(await complete(attempt)).toBe(false);
    expect(await claimJob(fixture.ctx.db, id)).toBeUndefined();
    expect(await view()).toMatchObject({ status: 'FAILED' });
  });

  test('may be reported twice, when the first reply was lost', async () => {
    const attempt = await claim();
    expect(await complete(attempt)).toBe(true);
    expect(await complete(attempt)).toBe(true);
    expect((await wallet()).balance).toBe(998_000n);
  });

  test('sends the status body to the webhook', async () => {
    const webhookUrl = 'https://example.com/hook';
    id = await fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' }, { webhookUrl });
    await complete(await claim());
    const [delivery] = await fixture.ctx.db.select().from(schema.deliveries);
    expect(delivery).toMatchObject({ reference: id, url: webhookUrl, state: 'pending' });
    expect(JSON.parse(delivery?.body ?? '')).toEqual(await view());
    const queued = await fixture.ctx.db.$count(schema.queueEntries, eq(schema.queueEntries.lane, 'delivery'));
    expect(queued).toBe(1);
  });
});

describe('a deadline', () => {
  const submit = (secondsMax: number) =>
    fixture.submit(OPERATIONS['test-run'], { behaviour: 'copy' }, { secondsMax });

  test('is reported by the claim once it has passed', async () => {
    expect((await claim()).isOverdue).toBe(false);
    id = await submit(0);
    expect((await claim()).isOverdue).toBe(true);
  });

  test('ends a job in ERROR without a charge when its result arrives later', async () => {
    id = await submit(3_600);
    const attempt = await claim();
    expect(attempt.isOverdue).toBe(false);
    await fixture.ctx.db.update(schema.jobs).set({ deadlineAt: sql`now()` }).where(eq(schema.jobs.id, id));
    expect(await complete(attempt)).toBe(false);
    expect(await view()).toMatchObject({
      status: 'ERROR',
      error: expect.stringContaining('did not come in time. Nothing was charged'),
      output: null,
    });
    expect(await complete(attempt)).toBe(false);
    // The other job's hold is still open.
    expect(await wallet()).toEqual({ balance: 1_000_000n, held: 2_000n, available: 998_000n });
    expect(await spent()).toBe(2_000n);
  });

  test.each([
    ['when its status is read', () => view()],
    ['regularly', () => endOverdueJobs(fixture.ctx)],
  ])('ends a queued job that no runner claims, %s, and frees its hold', async (_, end) => {
    id = await submit(0);
    const other = await submit(3_600);
    expect((await wallet()).held).toBe(6_000n);
    await Promise.all([end(), end(), end()]);
    expect((await wallet()).held).toBe(4_000n);
    expect(await view()).toMatchObject({ status: 'ERROR', billing: { charged_usd: '0.00' } });
    id = other;
    expect(await view()).toMatchObject({ status: 'QUEUED' });
  });

  test('ends a job once, while a runner completes it', async () => {
    id = await submit(3_600);
    const attempt = await claim();
    await fixture.ctx.db.update(schema.jobs).set({ deadlineAt: sql`now()` }).where(eq(schema.jobs.id, id));
    const [, isCompleted] = await Promise.all([endOverdueJobs(fixture.ctx), complete(attempt)]);
    expect(isCompleted).toBe(false);
    expect(await view()).toMatchObject({ status: 'ERROR', output: null });
    expect((await wallet()).held).toBe(2_000n);
  });

  test('does not affect a result that arrives before it', async () => {
    id = await submit(3_600);
    expect(await complete(await claim())).toBe(true);
    expect((await wallet()).balance).toBe(998_000n);
  });
});

describe('progress', () => {
  test('never falls, even over a new attempt', async () => {
    await reportProgress(fixture.ctx.db, await claim(), 0.5);
    const second = await claim();
    await reportProgress(fixture.ctx.db, second, 0.25);
    expect(await view()).toMatchObject({ progress: 0.5 });
    await reportProgress(fixture.ctx.db, second, 0.75);
    expect(await view()).toMatchObject({ progress: 0.75 });
  });
});

test('an uncounted attempt does not count, and its number is not used again', async () => {
  await uncountAttempt(fixture.ctx.db, await claim());
  expect(await claim()).toMatchObject({ attempt: 2, countedAttempt: 1 });
  expect(await claim()).toMatchObject({ attempt: 3, countedAttempt: 2 });
});

describe('the time of a run', () => {
  const { jobs, queueEntries } = schema;
  const age = () => fixture.ctx.db.update(jobs).set({ startedAt: sql`now() - interval '17 minutes'` });
  const hold = (lockedBy: string | null) => fixture.ctx.db.update(queueEntries).set({ lockedBy });

  test('counts while a runner holds the job, and not while it waits', async () => {
    await claim();
    await age();
    await hold('a runner');
    expect((await claim()).runSeconds).toBeCloseTo(17 * 60, -2);
    await hold(null);
    expect((await claim()).runSeconds).toBe(0);
  });

  test('starts again after an uncounted attempt, unless a later one has begun', async () => {
    const first = await claim();
    await age();
    await hold('a runner');
    const second = await claim();
    await uncountAttempt(fixture.ctx.db, first);
    expect((await claim()).runSeconds).toBeCloseTo(17 * 60, -2);
    await uncountAttempt(fixture.ctx.db, { ...second, attempt: second.attempt + 1 });
    expect((await claim()).runSeconds).toBeLessThan(17);
  });
});
