import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Operation } from '../../models/operation.ts';
import { OPERATIONS } from '../../models/registry.ts';
import type { Context } from '../context.ts';
import { removeStaleRuns } from './clean-up.ts';
import { createChildPool } from './pool.ts';
import { openQueueConnections } from './queue-worker.ts';
import { EXTRA_CONNECTIONS, openSession, type SessionOptions } from './session.ts';

const REGISTRY = fileURLToPath(new URL('../../models/registry.ts', import.meta.url));
const REOPEN_DELAY_MS = 500;
/** Leaves the supervisor's grace enough room to hand everything back. */
const GRACE_MS = 15_000;

export interface RunnerOptions {
  readonly databaseUrl: string;
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Path of the module that exports the same operations as `OPERATIONS`, for the child processes. */
  readonly operationsModule?: string;
}

export interface Runner {
  /** Settles when jobs are taken for the first time. */
  readonly ready: Promise<void>;
  /** Ends in two stages: takes nothing new and lets run what runs, then breaks off and hands back. */
  stop(graceMs?: number): Promise<void>;
}

/** Takes jobs and runs them, through every loss of the database, until it is stopped. */
export function startRunner(ctx: Context, options: RunnerOptions): Runner {
  const shop = openShop(ctx, options);
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');
  let graceMs = GRACE_MS;
  let reportReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    reportReady = resolve;
  });

  const work = async (): Promise<void> => {
    const session = await openSession(shop);
    reportReady();
    await Promise.race([session.lost, stopped]);
    if (stopping.signal.aborted) return await session.close(graceMs);
    ctx.log.warn('lost the database; what runs is broken off and offered again');
    await session.close(0);
  };
  const live = async (): Promise<void> => {
    await removeStaleRuns(ctx);
    await shop.pool.warm();
    while (!stopping.signal.aborted) {
      await work().catch((err: unknown) => ctx.log.error({ err }, 'could not work with the database'));
      await wait(REOPEN_DELAY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
    shop.pool.close();
    // Not waited for: a worker that could not settle may keep a connection.
    void shop.connections.end();
  };
  const ended = live();
  return {
    ready,
    async stop(grace = GRACE_MS) {
      graceMs = grace;
      stopping.abort();
      await ended;
    },
  };
}

/** What lasts from session to session: warm children, and the queue's connections. */
function openShop(ctx: Context, options: RunnerOptions): SessionOptions {
  const { databaseUrl, operations = OPERATIONS, operationsModule = REGISTRY } = options;
  const concurrency = ctx.env.RUNNER_CONCURRENCY;
  const memoryBytesMax = Math.max(...Object.values(operations).map(({ limits }) => limits.memoryBytesMax));
  return {
    ctx,
    operations,
    databaseUrl,
    concurrency,
    pool: createChildPool({ size: concurrency, operationsModule, memoryBytesMax, log: ctx.log }),
    connections: openQueueConnections(databaseUrl, concurrency + EXTRA_CONNECTIONS, ctx.log),
  };
}
