import { type ParsedCronItem, Logger as QueueLogger, run, type TaskList } from 'graphile-worker';
import { Pool } from 'pg';
import { STATEMENT_TIMEOUT_MS } from '../../base/db.ts';
import { redactSqlParams } from '../../base/describe-error.ts';
import type { Logger } from '../../base/log.ts';
import type { Lease } from '../dispatch/lease.ts';
import type { TaskPayloads as QueueTasks } from './task-types.ts';

declare global {
  namespace GraphileWorker {
    interface Tasks extends QueueTasks {}
  }
}

export interface TaskWorkerOptions {
  readonly connections: Pool;
  readonly lease: Lease;
  readonly log: Logger;
  readonly concurrency: number;
  readonly tasks: TaskList;
  readonly cron: readonly ParsedCronItem[];
}

/** Worker that takes entries from the queue and passes them to the tasks, several at once. */
export interface TaskWorker {
  /** Settles when it has stopped, requested or not. */
  readonly ended: Promise<void>;
  /** Takes nothing new, and waits for running tasks. Never rejects. */
  stop(): Promise<void>;
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** Opens the queue's connections. They and their error listeners outlive every worker. */
export function openTaskConnections(databaseUrl: string, connectionsMax: number, log: Logger): Pool {
  // Without listeners a connection closed by the server would end this process.
  const note = (err: Error): void => log.debug({ err }, 'the queue lost a connection');
  // The queue's own writes may be lost with PostgreSQL, and need not wait for the disk: taken entries are free again
  // then, and a finished one returns to a job that has ended. Entries are added by others, durably.
  const connections = new Pool({
    connectionString: databaseUrl,
    max: connectionsMax,
    options: `-c synchronous_commit=off -c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
  });
  return connections.on('error', note).on('connect', (client) => client.on('error', note));
}

/**
 * Starts a worker. Registers with the lease before it takes anything, so that the sweep knows everything it holds.
 */
export async function startTaskWorker(options: TaskWorkerOptions): Promise<TaskWorker> {
  const { log, lease, concurrency } = options;
  const registered = new Map<string, Promise<void>>();
  const registration: GraphileConfig.Plugin = {
    name: 'registration',
    version: '1',
    worker: {
      hooks: {
        async startWorker(_ctx, { worker }) {
          const { id } = worker.workerPool;
          const done = registered.get(id) ?? lease.register(id);
          registered.set(id, done);
          await done;
        },
      },
    },
  };
  const runner = await run({
    pgPool: options.connections,
    concurrency,
    noHandleSignals: true,
    taskList: options.tasks,
    parsedCronItems: [...options.cron],
    logger: new QueueLogger(() => (level, message) => log[LEVELS[level]](redactSqlParams(message))),
    preset: {
      plugins: [registration],
      // Batches are retried during a database outage; single statements would be unhandled rejections.
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
  });
  const ended = runner.promise.catch((err: unknown) =>
    log.warn({ err }, 'the queue worker ended with an error'),
  );
  return {
    ended,
    async stop() {
      await runner.stop().catch(() => {});
      await ended;
    },
  };
}
