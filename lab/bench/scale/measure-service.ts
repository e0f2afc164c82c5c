import type { Context } from '../../../server/base/context.ts';
import type { Actor } from '../../../server/identity/keys/index.ts';
import { explainStatement, type PlanNode, type StatementLog } from '../../support/query-plans.ts';
import { listDashboardQueries, type Queries } from '../dashboard-queries.ts';
import { median, percentile, timeMs } from '../measure.ts';
import { listServiceSteps } from './service-steps.ts';

/** Durations of a step, in ms. */
export interface StepTimes {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
}

/** Rounds of each kind of step. */
export interface Rounds {
  readonly jobs: number;
  readonly reads: number;
  readonly dashboard: number;
  readonly upkeep: number;
}

const ACTORS = 500;

/** Measures all steps of a filled service; those of jobs alternate, so that the queue keeps its length. */
export async function measureService(ctx: Context, rounds: Rounds): Promise<StepTimes[]> {
  const actors = await listActors(ctx);
  const { ofJobs, reads, upkeep } = listServiceSteps(ctx, actors);
  const dashboard = await listDashboardQueries(ctx, await findLargestAccount(ctx));
  return [
    ...(await measure(ofJobs, rounds.jobs)),
    ...(await measure(reads, rounds.reads)),
    ...(await measure(dashboard, rounds.dashboard)),
    ...(await measure(upkeep, rounds.upkeep)),
  ];
}

/** Lists the plans of the steps of jobs, and of what runners, requests and the dashboard read. */
export async function explainService(ctx: Context, log: StatementLog): Promise<Map<string, PlanNode[]>> {
  const recorded = { ...ctx, db: log.db };
  const { ofJobs, reads } = listServiceSteps(recorded, await listActors(ctx));
  const dashboard = await listDashboardQueries(recorded, await findLargestAccount(ctx));
  const plans = new Map<string, PlanNode[]>();
  for (const [name, step] of Object.entries({ ...ofJobs, ...reads, ...dashboard })) {
    const statements = await log.record(step);
    plans.set(name, await Promise.all(statements.map((statement) => explainStatement(ctx.db, statement))));
  }
  return plans;
}

async function measure(steps: Queries, rounds: number): Promise<StepTimes[]> {
  const times = new Map(Object.keys(steps).map((name) => [name, [] as number[]]));
  // The first round prepares statements and fills caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, step] of Object.entries(steps)) {
      const tookMs = await timeMs(step);
      if (round > 0) times.get(name)?.push(tookMs);
    }
  }
  return [...times].map(([name, taken]) => ({ name, median: median(taken), p95: percentile(taken, 0.95) }));
}

/** Draws filled accounts with their keys. */
async function listActors({ db }: Context): Promise<Actor[]> {
  const rows = await db.$client<{ account_id: string; id: string }[]>`
    select account_id, id from api_keys where name = 'scale' order by id limit ${ACTORS}`;
  return rows.map(({ account_id, id }) => ({
    accountId: account_id,
    isTest: false,
    keyId: id,
    rateId: id,
    operations: null,
  }));
}

/** Finds the account with the most jobs. */
async function findLargestAccount({ db }: Context): Promise<string> {
  const [row] = await db.$client<{ account_id: string }[]>`
    select account_id from jobs group by account_id order by count(*) desc limit 1`;
  if (!row) throw new Error('there is no job');
  return row.account_id;
}
