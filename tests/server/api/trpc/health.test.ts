import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { getAuth, isServiceOwner } from '../../../../server/identity/auth/index.ts';
import { describeProcess, startHeartbeats } from '../../../../server/jobs/heartbeats.ts';
import { claimJob, failJob } from '../../../../server/jobs/index.ts';
import { recordTaskRun } from '../../../../server/jobs/scheduled-tasks.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';
import { PASSWORD, TestBrowser } from '../../../support/service/sign-in.ts';

let api: TestApi;
let accountId: string;
let overview: Awaited<ReturnType<typeof openDashboard>>['call']['health']['overview'];
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000', SMTP_URL: 'smtp://localhost:25' });
  const owner = await openDashboard(api, 'owner@example.com');
  const env = { ...api.ctx.env, OWNER_EMAILS: [owner.email] };
  ({ accountId } = owner);
  overview = owner.callIn({ ...api.ctx, env }).health.overview;
});
afterAll(() => api.close());

test('lists live processes with their machine, and those that fell silent', async () => {
  const end = await startHeartbeats(api.ctx, 'runner');
  const { processes, models } = await overview();
  expect(processes).toMatchObject([{ part: 'runner', pid: process.pid, isAlive: true }]);
  const [{ facts }] = processes as [(typeof processes)[number]];
  expect(facts.versions.node).toBe(process.versions.node);
  expect(facts.diskBytes).toBeGreaterThan(facts.freeDiskBytes);
  expect(facts.memoryBytes).toBeGreaterThan(facts.freeMemoryBytes);
  expect(models.filter(({ isBundled }) => isBundled).map(({ hosts }) => hosts)).not.toContain(0);
  await api.ctx.db.update(schema.processes).set({ beatAt: new Date(Date.now() - 60_000) });
  const later = await overview();
  expect(later.processes).toMatchObject([{ isAlive: false }]);
  expect(later.models.every(({ hosts }) => hosts === 0)).toBe(true);
  await end();
  expect((await overview()).processes).toEqual([]);
});

test('counts the queue by lane, and failures by operation and code; cancelled jobs are none', async () => {
  const send = async () =>
    (await api.convert({ image_url: api.imageUrl, to_format: 'webp' })).body.request_id;
  const [failed, canceled] = [await send(), await send()];
  await send();
  const { lanes, running } = await overview();
  expect(lanes.find(({ lane }) => lane === 'interactive')).toMatchObject({ waiting: 3, taken: 0 });
  expect(running).toEqual([]);
  for (const [id, code] of [
    [failed, 'over_memory'],
    [canceled, 'canceled'],
  ] as const) {
    const attempt = await claimJob(api.ctx.db, id);
    expect((await overview()).running).toMatchObject([{ id, operationId: 'media-convert-image' }]);
    if (attempt) await failJob(api.ctx, attempt, { status: 'FAILED', message: 'As told.', code });
  }
  expect((await overview()).failures).toEqual([
    { operationId: 'media-convert-image', status: 'FAILED', code: 'over_memory', lastHour: 1, lastDay: 1 },
  ]);
});

test('counts every failure of ours, however many kinds of others are more frequent', async () => {
  const [known] = (await overview()).failures;
  await api.ctx.db.$client`
    insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object(
      'id', 'copy_' || n, 'error_code', 'kind_' || n / 2, 'status', case when n = 60 then 'ERROR' else 'FAILED' end
    ))).* from jobs, generate_series(1, 60) n where error_code = 'over_memory'`;
  const { failures } = await overview();
  expect(failures.filter(({ status }) => status === 'ERROR')).toHaveLength(1);
  expect(failures.reduce((sum, each) => sum + each.lastHour, 0)).toBe((known?.lastHour ?? 0) + 60);
});

test('names the hosts whose deliveries fail, with the latest fault', async () => {
  const { deliveries, deliveryAttempts } = schema;
  const row = { accountId, reference: 'r', body: '{}' };
  const [failing] = await api.ctx.db
    .insert(deliveries)
    .values([
      { ...row, url: 'https://user@fails.example:8443/hook?a=b', state: 'pending', attempts: 1 },
      { ...row, url: 'https://fine.example/hook', state: 'delivered', attempts: 1 },
    ])
    .returning();
  await api.ctx.db
    .insert(deliveryAttempts)
    .values({ deliveryId: failing?.id ?? '', attempt: 1, durationMs: 5, responseStatus: 500 });
  const found = await overview();
  expect(found.deliveries).toEqual({ pending: 1, delivered: 1 });
  expect(found.failingHosts).toEqual([
    { host: 'fails.example:8443', pending: 1, failed: 0, lastFault: 'HTTP 500' },
  ]);
});

test('tells sizes, settings, and the last run of each scheduled task with its fault', async () => {
  await recordTaskRun(api.ctx.db, 'backup', async () => {});
  const fails = recordTaskRun(api.ctx.db, 'reconcile', async () => {
    throw new Error('wallet 1');
  });
  await expect(fails).rejects.toThrow('wallet 1');
  const { stored, database, scheduledTasks, settings } = await overview();
  expect(stored).toMatchObject({ files: expect.any(Number), works: true, place: 'disk' });
  expect(stored.bytes).toBeGreaterThan(0);
  expect(database).toMatchObject({
    version: expect.stringMatching(/^\d+/),
    connectionsMax: expect.any(Number),
  });
  expect(database.bytes).toBeGreaterThan(1e6);
  expect(settings).toMatchObject({ mail: true, stripe: false });
  expect(scheduledTasks).toMatchObject([
    { name: 'backup', fault: null },
    { name: 'reconcile', fault: 'wallet 1' },
  ]);
  await recordTaskRun(api.ctx.db, 'reconcile', async () => {});
  expect((await overview()).scheduledTasks[1]).toMatchObject({ name: 'reconcile', fault: null });
});

test('the first user of a local install owns it, under a new address, too; another user does not', async () => {
  const local = await startApi({ EMBEDDED_DATABASE: '1' });
  try {
    const { ctx } = local;
    await new TestBrowser(local).signUp('first@example.com');
    await new TestBrowser(local).signUp('second@example.com');
    expect(await isServiceOwner(ctx, { email: 'First@example.com' })).toBe(true);
    expect(await isServiceOwner(ctx, { email: 'second@example.com' })).toBe(false);
    const { internalAdapter } = await (await getAuth(ctx)).$context;
    const [first] = await ctx.db
      .select()
      .from(schema.users)
      .where(eq(schema.users.email, 'first@example.com'));
    await internalAdapter.updateUser(first?.id ?? '', { email: 'moved@example.com' });
    expect(await isServiceOwner(ctx, { email: 'moved@example.com' })).toBe(true);
    expect(await isServiceOwner(ctx, { email: 'first@example.com' })).toBe(false);
    const named = { ...ctx, env: { ...ctx.env, OWNER_EMAILS: ['second@example.com'] } };
    expect(await isServiceOwner(named, { email: 'moved@example.com' })).toBe(false);
    expect(await isServiceOwner(named, { email: 'second@example.com' })).toBe(true);
  } finally {
    await local.close();
  }
});

test('where owners are named, no one signs up without a link', async () => {
  const local = await startApi({ EMBEDDED_DATABASE: '1', OWNER_EMAILS: 'Boss@example.com' });
  try {
    const browser = new TestBrowser(local);
    await browser.signUp('boss@example.com', PASSWORD);
    expect((await browser.signIn('boss@example.com', PASSWORD)).status).toBe(401);
  } finally {
    await local.close();
  }
});

test('the free memory of a process is that within the limit of its container', async () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(512_000_000);
  vi.spyOn(process, 'availableMemory').mockReturnValue(100_000_000);
  const { memoryBytes, freeMemoryBytes } = await describeProcess(api.ctx.env);
  expect([memoryBytes, freeMemoryBytes]).toEqual([512_000_000, 100_000_000]);
});
