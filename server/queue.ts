import { sql } from 'drizzle-orm';
import type { Executor } from './db.ts';

/** What the queue's tasks are called and what each is given. The runner has a handler for every one. */
export interface Tasks {
  readonly 'run-job': { readonly id: string };
  /** The same for a job of many runs. */
  readonly 'run-batch': { readonly id: string };
  readonly 'deliver-webhook': { readonly deliveryId: string };
  readonly 'clean-up': Record<string, never>;
  readonly reconcile: Record<string, never>;
}

export interface AddJobOptions {
  /** Not before this moment; at once when absent. */
  readonly runAt?: Date;
  /** How often the queue itself tries before it gives up; 25 when absent. */
  readonly maxAttempts?: number;
  /** A waiting entry with the same key is replaced instead of doubled. */
  readonly jobKey?: string;
}

/**
 * Puts work into the queue as part of the caller's transaction: rolled back with it, and seen by no runner before its
 * commit. Runners are woken by NOTIFY at that commit.
 */
export async function addJob<Name extends keyof Tasks>(
  db: Executor,
  task: Name,
  payload: Tasks[Name],
  { runAt, maxAttempts, jobKey }: AddJobOptions = {},
): Promise<void> {
  await db.execute(sql`select from graphile_worker.add_job(
    ${task}, ${JSON.stringify(payload)}::json, run_at => ${runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? null}::int, job_key => ${jobKey ?? null}::text)`);
}
