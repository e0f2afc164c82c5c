import { type ParsedCronItem, Logger as QueueLogger, run, type TaskList } from 'graphile-worker';
import { Pool } from 'pg';
import type { Logger } from '../log.ts';
import type { Tasks as QueueTasks } from '../queue.ts';
import type { Lease } from './lease.ts';

declare global {
  namespace GraphileWorker {
    interface Tasks extends QueueTasks {}
  }
}

export interface QueueWorkerOptions {
  readonly connections: Pool;
  readonly lease: Lease;
  readonly log: Logger;
  readonly concurrency: number;
  readonly tasks: TaskList;
  readonly cron: readonly ParsedCronItem[];
}

/** Takes entries from the queue and gives them to the tasks, several at once. */
export interface QueueWorker {
  /** Settles when it has stopped, asked or not. */
  readonly ended: Promise<void>;
  /** Takes nothing new, and waits for the tasks that run. Never rejects. */
  stop(): Promise<void>;
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** The queue's connections. They outlive every worker, and so does what listens to their errors. */
export function openQueueConnections(databaseUrl: string, connectionsMax: number, log: Logger): Pool {
  // Without listeners a connection that the server closes would end this process.
  const note = (err: Error): void => log.debug({ err }, 'the queue lost a connection');
  // What the queue itself writes may be lost with PostgreSQL, and need not wait for the disk: entries that were taken are
  // free again then, and one that was done comes back to a job that has ended. Entries are added by others, durably.
  const connections = new Pool({
    connectionString: databaseUrl,
    max: connectionsMax,
    options: '-c synchronous_commit=off',
  });
  return connections.on('error', note).on('connect', (client) => client.on('error', note));
}

/** Registers with the lease before it takes anything, so that nothing it holds can be forgotten. */
export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
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
    logger: new QueueLogger(() => (level, message) => log[LEVELS[level]](message)),
    preset: {
      plugins: [registration],
      // Batches are repeated while the database is away; single statements would be unhandled rejections.
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
