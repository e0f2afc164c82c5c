import { setTimeout as wait } from 'node:timers/promises';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { type Breakers, watchOutages } from '../../base/breakers.ts';
import type { Db } from '../../base/database/db.ts';
import type { Logger } from '../../base/log.ts';
import { type Dependency, findOutage } from '../../base/outage.ts';
import { retryOnOutage } from '../../base/retry-on-outage.ts';
import {
  addTasks,
  claimTask,
  finishTask,
  type Schedule,
  type ScheduledTask,
  type TaskClaim,
} from '../scheduled-tasks.ts';

/** Task with its schedule. */
export interface ScheduledWork extends Schedule {
  readonly name: ScheduledTask;
  /** Dependencies of the work besides the database. */
  readonly needs?: readonly Dependency[];
  /** @throws what went wrong: after an outage the task is repeated soon, else at its next time */
  readonly work: () => Promise<void>;
}

export interface SchedulerOptions {
  readonly db: Db;
  readonly log: Logger;
  /** Name under which tasks are claimed. */
  readonly workerId: string;
  readonly tasks: readonly ScheduledWork[];
  readonly breakers: Breakers;
  /** Limit on the tasks that run at once. */
  readonly tasksMax: number;
}

export interface Scheduler {
  /** Claims nothing new, and waits for running tasks. Never rejects. */
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 2_000;

/**
 * Runs tasks as they become due, each in one of all runners.
 * @throws when the database cannot be reached
 */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { db, log, workerId, tasks, tasksMax, breakers } = options;
  await addTasks(db, tasks);
  const running = new Map<ScheduledTask, Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  const claimDue = async (): Promise<void> => {
    while (running.size < tasksMax) {
      const idle = tasks.filter(({ name }) => !running.has(name));
      // Those that need what fails now would only find out again: jobs try it out.
      const ready = idle.filter(({ needs = [] }) => !breakers.isOpen(needs)).map(({ name }) => name);
      const claim = await claimTask(db, workerId, ready);
      const task = tasks.find(({ name }) => name === claim?.name);
      if (!claim || !task || signal.aborted) return;
      running.set(
        task.name,
        runTask(options, task, claim).finally(() => running.delete(task.name)),
      );
    }
  };
  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      await claimDue().catch((err: unknown) => log.debug({ err }, 'could not look for due tasks'));
      await wait(POLL_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  };
  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(running.values());
    },
  };
}

/** Runs a claimed task and records its end. Never rejects: a task without a recorded end is claimed again. */
async function runTask(
  { db, log, breakers }: SchedulerOptions,
  task: ScheduledWork,
  claim: TaskClaim,
): Promise<void> {
  const startedAtMs = performance.now();
  let fault: string | null = null;
  let isOutage = false;
  try {
    await watchOutages(breakers, task.needs ?? [], task.work);
  } catch (err) {
    log.error({ err, task: task.name }, 'a scheduled task failed');
    fault = getMessage(err);
    isOutage = findOutage(err) !== undefined;
  }
  const outcome = { durationMs: performance.now() - startedAtMs, fault, isOutage };
  try {
    const isOwn = await retryOnOutage(() => finishTask(db, claim, task, outcome));
    if (!isOwn) log.warn({ task: task.name }, 'a scheduled task was taken over before its end');
  } catch (err) {
    log.warn({ err, task: task.name }, 'could not record the end of a scheduled task');
  }
}
