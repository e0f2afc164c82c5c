import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { isTerminal } from '../../../models/job.ts';
import type { JobView } from '../../../models/job-view.ts';
import { schema } from '../../../server/db.ts';
import { getJob } from '../../../server/jobs/index.ts';
import { type Runner, startRunner } from '../../../server/runner/runner.ts';
import { createJobFixture, type JobFixture } from '../../support/job-fixture.ts';
import { OPERATIONS } from '../../support/test-operations.ts';

export const WITHIN = { timeout: 25_000, interval: 20 };
const operation = OPERATIONS['test-run'];
const operationsModule = fileURLToPath(new URL('../../support/test-operations.ts', import.meta.url));

/** A runner with real children on a database of its own, and eyes on what it does. */
export interface Harness {
  readonly fixture: JobFixture;
  /** Starts a runner that takes jobs when this settles. */
  start(): Promise<Runner>;
  submit(params: object): Promise<string>;
  view(id: string): Promise<JobView>;
  /** Waits for the end of a job. */
  ended(id: string): Promise<JobView>;
  attempts(id: string): Promise<number | undefined>;
  /** A path at which a run may note that it has begun. */
  mark(name: string): string;
}

export async function createHarness(): Promise<Harness> {
  const fixture = await createJobFixture();
  const { ctx, url, actor } = fixture;
  const view = (id: string): Promise<JobView> => getJob(ctx, { accountId: actor.accountId, id });
  return {
    fixture,
    view,
    async start() {
      const runner = startRunner(ctx, { databaseUrl: url, operations: OPERATIONS, operationsModule });
      await runner.ready;
      return runner;
    },
    submit: (params) => fixture.submit(operation, params),
    async ended(id) {
      await expect.poll(async () => isTerminal((await view(id)).status), WITHIN).toBe(true);
      return await view(id);
    },
    async attempts(id) {
      const [job] = await ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
      return job?.attempt;
    },
    mark: (name) => join(ctx.env.DATA_DIR, name),
  };
}

/** Entries of the queue that nobody works on. Failed ones wait for seconds, and a test has no such time. */
export async function hurry({ fixture }: Harness): Promise<number> {
  const rows = await fixture.ctx.db.execute(sql`select graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where locked_at is null), run_at => now())`);
  return rows.length;
}
