import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { schema } from '../../../server/base/database/db.ts';
import { releaseAllEntries } from '../../../server/base/queue/index.ts';
import { reconcileBalances } from '../../../server/money/wallet/index.ts';
import { createJobFixture, type JobFixture } from '../../support/service/job-fixture.ts';
import {
  DYING,
  finishJob,
  type PreparedJob,
  TRANSITIONS,
  type TransitionCase,
  type TransitionName,
} from '../../support/service/job-transitions.ts';
import { openMortalDatabase } from '../../support/service/mortal-database.ts';

const ALWAYS: readonly TransitionName[] = ['complete', 'cancel a running job', 'requeue by an orderly stop'];
/** More than any transition has. */
const STEPS_MAX = 60;
const NAMES = Object.keys(TRANSITIONS).filter((name): name is TransitionName => name in TRANSITIONS);

/** Steps in the middle of a transaction; a claim is one statement. */
const KILLS: readonly (readonly [TransitionName, number])[] = [
  ['accept', 3],
  ['claim', 1],
  ['complete', 7],
  ['cancel a running job', 5],
  ['end an overdue job', 6],
  ['requeue by a self-hosted worker', 2],
];
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const PROCESS = fileURLToPath(new URL('../../support/processes/transition-process.ts', import.meta.url));

const { deliveries, holds, jobs, queueEntries } = schema;
let fixture: JobFixture;
/** Ids of the jobs whose end was announced. */
let ends: string[];

beforeEach(async () => {
  fixture = await createJobFixture();
  ends = [];
  await fixture.ctx.db.$client.listen('job_ended', (id) => void ends.push(id));
});
afterEach(() => fixture.close());

/** Reads all that a transition may move. */
async function readState({ id }: PreparedJob) {
  const { db } = fixture.ctx;
  const [job] = await db.select().from(jobs).where(eq(jobs.id, id));
  const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.id, id));
  const [hold] = await db.select().from(holds).where(eq(holds.reference, id));
  return {
    job: job && {
      status: job.status,
      attempt: job.attempt,
      uncounted: job.uncountedAttempts,
      charged: job.charged,
      error: job.errorCode,
      hasReceipt: job.receipt !== null,
      deliveries: job.outputDeliveries.map(({ status }) => status),
    },
    entry: entry && { lane: entry.lane, lockedBy: entry.lockedBy, failures: entry.failures },
    hold: hold?.state,
    webhooks: await db.$count(deliveries, eq(deliveries.reference, id)),
  };
}

/** Checks what holds in every state that any process can see. */
async function expectConsistent(job: PreparedJob): Promise<void> {
  const { db } = fixture.ctx;
  expect(await reconcileBalances(db)).toEqual({ ok: true, faults: [] });
  const state = await readState(job);
  const hasEnded = state.job !== undefined && isTerminal(state.job.status);
  const isOpen = state.job !== undefined && !hasEnded;
  expect(state.entry !== undefined).toBe(isOpen);
  expect(state.hold === 'open').toBe(isOpen);
  expect(state.webhooks).toBe(hasEnded ? 1 : 0);
  // A notice of the listening connection comes after the commit, at some time before a later one.
  await db.execute(sql`select pg_notify('job_ended', ${`after ${job.id}`})`);
  await expect.poll(() => ends.includes(`after ${job.id}`)).toBe(true);
  ends = ends.filter((id) => !id.startsWith('after'));
  expect(ends.filter((id) => id === job.id)).toHaveLength(hasEnded ? 1 : 0);
}

/** Gives others what the dead process had: the sweep of dead runners, and the end of a lease. */
async function noticeDeath({ id }: PreparedJob): Promise<void> {
  const { db } = fixture.ctx;
  await releaseAllEntries(db, [DYING]);
  await db.execute(sql`update queue_entries set locked_by = null where id = ${id} and locked_by = 'own'`);
}

/** Finishes the job in another process, and checks that it has one end, which is paid for once or not at all. */
async function expectFinished(job: PreparedJob): Promise<void> {
  if ((await readState(job)).job === undefined) return;
  await noticeDeath(job);
  await finishJob(fixture.ctx, job);
  await expectConsistent(job);
  const { job: ended, hold } = await readState(job);
  expect(ended).toBeDefined();
  expect(isTerminal(ended?.status ?? 'QUEUED')).toBe(true);
  const isPaid = ended?.status === 'COMPLETED';
  expect(hold).toBe(isPaid ? 'captured' : 'released');
  expect(ended?.charged).toBe(isPaid ? 2_000n : 0n);
}

/**
 * Moves a new job in a process that dies at a step.
 * @returns whether the process has died, and the states of the job
 */
async function moveUntilDeath({ prepare, move }: TransitionCase, dieAt: number) {
  const { ctx, actor, url } = fixture;
  const job = await prepare(ctx, actor);
  const before = await readState(job);
  const mortal = openMortalDatabase(url, dieAt);
  await move({ ...ctx, db: mortal.db }, job).catch(() => {});
  await mortal.close();
  return { job, before, after: await readState(job), hasDied: mortal.countSteps() >= dieAt };
}

/** Lets a process die at each step of a transition. */
async function dieAtEachStep(transition: TransitionCase): Promise<number> {
  const whole = await moveUntilDeath(transition, Number.POSITIVE_INFINITY);
  await expectConsistent(whole.job);
  expect(whole.after).not.toEqual(whole.before);
  await expectFinished(whole.job);
  for (let dieAt = 1; dieAt <= STEPS_MAX; dieAt++) {
    const { job, before, after, hasDied } = await moveUntilDeath(transition, dieAt);
    if (!hasDied) return dieAt - 1;
    expect([before, whole.after], `died at step ${dieAt}`).toContainEqual(after);
    await expectConsistent(job);
    await expectFinished(job);
  }
  throw new Error(`a transition has more than ${STEPS_MAX} steps`);
}

describe('a process that dies at any step leaves the state before or after it, and another one continues:', () => {
  test.each(ALWAYS)('%s', async (name) => {
    expect(await dieAtEachStep(TRANSITIONS[name])).toBeGreaterThan(2);
  });

  test.each(NAMES.filter((name) => !ALWAYS.includes(name)))('%s', { tags: ['long'] }, async (name) => {
    expect(await dieAtEachStep(TRANSITIONS[name])).toBeGreaterThan(0);
  });
});

test.each(KILLS)('kill -9 in the transition to %s, at step %i', { tags: ['long'] }, async (name, dieAt) => {
  const { ctx, actor, url } = fixture;
  const job = await TRANSITIONS[name].prepare(ctx, actor);
  const before = await readState(job);
  const child = fork(PROCESS, [name, String(dieAt), JSON.stringify(job)], {
    execArgv: ['--import', TSX],
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: ctx.env.DATA_DIR },
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(await readState(job)).toEqual(before);
  await expectConsistent(job);
  await expectFinished(job);
});
