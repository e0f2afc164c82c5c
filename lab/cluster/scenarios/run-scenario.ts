import { setTimeout as wait } from 'node:timers/promises';
import { closeDb, openDb } from '../../../server/base/database/db.ts';
import { reconcileBalances } from '../../../server/money/wallet/index.ts';
import { openTestAccount } from '../../support/service.ts';
import type { Cluster } from '../cluster.ts';
import { applyLoad } from '../load/load.ts';
import { summarize } from '../load/outcome.ts';
import { countUnfinished, readRecords } from '../load/read-records.ts';
import type { Row } from '../load/table.ts';
import { judge } from '../load/verdict.ts';
import type { WebHost } from '../network/hosts.ts';
import { SECRETS_KEY } from '../parts/service-part.ts';
import type { Scenario } from './scenario.ts';

/** Time under load before the fault, and after it. */
const MARGIN_MS = 3_000;
/** Time for jobs to end, once the fault has ended and no new ones arrive. */
const DRAIN_MS = 120_000;
const CREDIT_USD = '100';

/**
 * Runs a scenario under load, and waits for the end of all its jobs.
 * @param rate jobs each second
 * @param baselineMs median latency without a fault; null when it is not known
 */
export async function runScenario(
  cluster: Cluster,
  scenario: Scenario,
  rate: number,
  baselineMs: number | null,
): Promise<Row> {
  const { postgres, balancer, parts } = cluster;
  const { host, port } = postgres.target();
  const env = { ...process.env, DATABASE_URL: postgres.urlAt(host, port), SECRETS_KEY };
  const account = await openTestAccount(env, `${scenario.name}@example.com`, CREDIT_USD);
  await scenario.prepare?.(cluster);
  const enough = new AbortController();
  const deadline = new AbortController();
  let healthy: WebHost | undefined;
  const load = applyLoad({
    apiKey: account.api_key,
    url: balancer.url,
    healthyUrl: () => healthy && parts[healthy].url,
    rate,
    burst: scenario.burst ?? 0,
    enough: enough.signal,
    deadline: deadline.signal,
  });
  let timeUp: NodeJS.Timeout | undefined;
  try {
    await wait(MARGIN_MS);
    await scenario.disturb(cluster, (web) => {
      healthy = web;
    });
    await wait(MARGIN_MS);
  } finally {
    enough.abort();
    timeUp = setTimeout(() => deadline.abort(), DRAIN_MS);
  }
  const sightings = await load;
  const result = await readResult(cluster, account.account_id, deadline.signal);
  clearTimeout(timeUp);
  const outcome = summarize(sightings, result.records);
  return { name: scenario.name, outcome, faults: judge(outcome, baselineMs, result.ledgerFaults) };
}

/** Reads the jobs of an account, once all have ended or the time is up. */
async function readResult({ postgres, parts }: Cluster, accountId: string, deadline: AbortSignal) {
  const { host, port } = postgres.target();
  const db = openDb(postgres.urlAt(host, port), { connectionsMax: 1 });
  try {
    while (!deadline.aborted && (await countUnfinished(db, accountId)) > 0) await wait(500);
    const runsToEnd = Object.values(parts).flatMap((part) => part.runsToEnd);
    const records = await readRecords(db, accountId, runsToEnd);
    const { faults } = await reconcileBalances(db);
    return { records, ledgerFaults: faults };
  } finally {
    await closeDb(db);
  }
}
