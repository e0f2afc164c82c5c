import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { schema } from '../../../server/base/database/db.ts';
import { getJob, type Submission } from '../../../server/jobs/index.ts';
import { type Runner, startRunner } from '../../../server/jobs/runner/runner.ts';
import { OPERATIONS } from '../operations/test-operations.ts';
import { createJobFixture, type JobFixture } from './job-fixture.ts';
import { makeEntriesDue } from './make-entries-due.ts';

export const WITHIN = { timeout: 120_000, interval: 50 };
const operation = OPERATIONS['test-run'];
/** Module of the operations, for children. */
export const operationsModule = fileURLToPath(new URL('../operations/test-operations.ts', import.meta.url));

/** Runner with real children on its own database, with access to its state. */
export interface RunnerHarness {
  readonly fixture: JobFixture;
  /** Starts a runner and waits until it claims jobs. */
  start(): Promise<Runner>;
  submit(params: object, options?: Partial<Submission>): Promise<string>;
  view(id: string): Promise<JobView>;
  /** Waits for the end of a job. */
  ended(id: string): Promise<JobView>;
  /** Waits for the end of a job, and skips the pauses of seconds between its attempts. */
  endedWithoutPauses(id: string): Promise<JobView>;
  /** Returns the number of a job's attempts that count. */
  attempts(id: string): Promise<number | undefined>;
  /** Path at which a run may record that it has begun. */
  mark(name: string): string;
}

export async function createRunnerHarness(environment: Record<string, string> = {}): Promise<RunnerHarness> {
  const fixture = await createJobFixture({ environment });
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
    submit: (params, options) => fixture.submit(operation, params, options),
    async ended(id) {
      await expect.poll(async () => isTerminal((await view(id)).status), WITHIN).toBe(true);
      return await view(id);
    },
    async endedWithoutPauses(id) {
      const hasEnded = async () => {
        await makeEntriesDue(ctx.db);
        return isTerminal((await view(id)).status);
      };
      await expect.poll(hasEnded, WITHIN).toBe(true);
      return await view(id);
    },
    async attempts(id) {
      const [job] = await ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
      return job && job.attempt - job.uncountedAttempts;
    },
    mark: (name) => join(ctx.env.DATA_DIR, name),
  };
}
