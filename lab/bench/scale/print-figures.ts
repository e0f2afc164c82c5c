import { listScans, type PlanNode } from '../../support/query-plans.ts';
import { ms, report } from '../measure.ts';
import type { PurgeCost } from './measure-purge.ts';
import type { StepTimes } from './measure-service.ts';
import { jainIndex, type SimulationResult } from './simulate-runners.ts';

/** Prints, for each statement of each step, the tables and indexes that its plan reads. */
export function printPlans(plans: ReadonlyMap<string, readonly PlanNode[]>): void {
  for (const [name, statements] of plans) {
    console.log(`  plan of ${name}`);
    for (const plan of statements) console.log(`    ${describePlan(plan)}`);
  }
}

function describePlan(plan: PlanNode): string {
  const scans = listScans(plan).map(
    (node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`,
  );
  const counts = new Map<string, number>();
  for (const scan of scans) counts.set(scan, (counts.get(scan) ?? 0) + 1);
  const parts = [...counts].map(([scan, count]) => (count > 1 ? `${scan} (${count} times)` : scan));
  return [plan['Node Type'], ...parts].join(' · ');
}

export function printPurge(costs: readonly PurgeCost[]): void {
  for (const { name, rows, stepMs } of costs) {
    report(name, { rows: String(rows), 'mean of 500 rows': rows > 0 ? ms(stepMs) : '-' });
  }
}

/** Prints what simulated runners have done, and how evenly the accounts that always waited had their turns. */
export function printSimulation(result: SimulationResult): void {
  const { turns, idleMs, claimsPerSecond, connections } = result;
  report('simulated runners', {
    'jobs a second': claimsPerSecond.toFixed(0),
    connections: String(connections),
    'free place to claim, median': ms(idleMs.median),
    p95: ms(idleMs.p95),
  });
  report('turns of accounts that always waited', {
    accounts: String(turns.length),
    most: String(turns[0] ?? 0),
    fewest: String(turns.at(-1) ?? 0),
    "Jain's index": turns.length > 0 ? jainIndex(turns).toFixed(3) : '-',
  });
}

/** Prints the median and the 95th percentile of each step, a column for each number of jobs. */
export function printGrowth(all: ReadonlyMap<number, readonly StepTimes[]>): void {
  const [first = []] = all.values();
  console.log('\nmedian / p95');
  for (const { name } of first) {
    const figures = [...all].map(([jobs, times]) => {
      const step = times.find((each) => each.name === name);
      return [`${jobs} jobs`, step ? `${ms(step.median)} / ${ms(step.p95)}` : '-'] as const;
    });
    report(name, Object.fromEntries(figures));
  }
}
