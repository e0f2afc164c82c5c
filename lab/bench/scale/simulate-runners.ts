import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../../server/base/context.ts';
import { closeDb, openDb } from '../../../server/base/database/db.ts';
import type { QueueLane } from '../../../server/base/queue/index.ts';
import { claimQueuedJob } from '../../../server/jobs/index.ts';
import { type Dispatcher, startDispatcher } from '../../../server/jobs/runner/dispatcher.ts';
import { openLease } from '../../../server/jobs/runner/lease.ts';
import { percentile, sum } from '../measure.ts';
import { completeClaim } from './service-steps.ts';

export interface Simulation {
  readonly url: string;
  readonly lane: QueueLane;
  readonly runners: number;
  readonly seconds: number;
  /** Duration of a run: nothing is computed. */
  readonly runMs: number;
}

export interface SimulationResult {
  readonly claimsPerSecond: number;
  readonly connections: number;
  /** Time from a free place to the claim of a job, in ms. */
  readonly idleMs: { readonly median: number; readonly p95: number };
  /** Turns of each account that waited from beginning to end, most first. */
  readonly turns: readonly number[];
}

/**
 * Lets many runners claim and complete jobs of a lane, each with the dispatcher, the lease and the pool of connections
 * of a real one, and a single place.
 */
export async function simulateRunners(ctx: Context, simulation: Simulation): Promise<SimulationResult> {
  const waitingBefore = await listWaiting(ctx, simulation.lane);
  const turns = new Map<string, number>();
  const idleMs: number[] = [];
  const note = (accountId: string, ms: number) => {
    turns.set(accountId, (turns.get(accountId) ?? 0) + 1);
    idleMs.push(ms);
  };
  const runners = await Promise.all(
    Array.from({ length: simulation.runners }, () => startRunner(ctx, simulation, note)),
  );
  const begunAtMs = performance.now();
  await wait(simulation.seconds * 1000);
  const seconds = (performance.now() - begunAtMs) / 1000;
  const claims = idleMs.length;
  const connections = await countConnections(ctx);
  await Promise.all(runners.map((stop) => stop()));
  const waitingAfter = new Set(await listWaiting(ctx, simulation.lane));
  return {
    claimsPerSecond: claims / seconds,
    connections,
    idleMs: { median: percentile(idleMs, 0.5), p95: percentile(idleMs, 0.95) },
    turns: waitingBefore
      .filter((accountId) => waitingAfter.has(accountId))
      .map((accountId) => turns.get(accountId) ?? 0)
      .sort((a, b) => b - a),
  };
}

/** Returns Jain's index of the shares: 1 when all are equal, 1/n when one of n has everything. */
export function jainIndex(shares: readonly number[]): number {
  return sum(shares) ** 2 / (shares.length * sum(shares.map((share) => share ** 2)));
}

async function startRunner(
  { log, ...rest }: Context,
  { url, lane, runMs }: Simulation,
  note: (accountId: string, idleMs: number) => void,
): Promise<() => Promise<void>> {
  const db = openDb(url);
  const ctx: Context = { ...rest, log, db };
  const lease = await openLease(url);
  let freeAtMs = performance.now();
  const dispatcher: Dispatcher = startDispatcher({
    db,
    log,
    lane,
    workerId: lease.workerId,
    placesMax: 1,
    signal: new AbortController().signal,
    take: (entry) => claimQueuedJob(db, entry, lease.workerId),
    async work(claim) {
      note(claim.accountId, performance.now() - freeAtMs);
      await wait(runMs);
      await completeClaim(ctx, claim);
      freeAtMs = performance.now();
    },
  });
  return async () => {
    await dispatcher.stop();
    await lease.close();
    await closeDb(db);
  };
}

async function listWaiting({ db }: Context, lane: QueueLane): Promise<string[]> {
  const rows = await db.$client<{ account_id: string }[]>`
    select distinct account_id from queue_entries where lane = ${lane} and locked_by is null`;
  return rows.map(({ account_id }) => account_id);
}

async function countConnections({ db }: Context): Promise<number> {
  const [row] = await db.$client<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`;
  return row?.count ?? 0;
}
