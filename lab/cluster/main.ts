/**
 * Bench of a cluster on one Linux machine, as root: two web hosts, two runner hosts, a host with PostgreSQL and its
 * replica and an S3-compatible store, a balancer, and a host whose TCP proxy delays and stalls. Each host is a network
 * namespace; a machine without them gets a loopback address for each host instead. Jobs arrive while the scenarios kill
 * processes, cut links, move clocks and upgrade. A table tells what became of them.
 *
 *   apt-get install nginx postgresql libfaketime iproute2
 *   npm run build
 *   npm run cluster                          # all scenarios, a quarter of an hour
 *   npm run cluster -- kill-web fail-over    # the baseline and these
 *   npm run cluster -- --rate 2 --logs /tmp/logs
 *
 * Nothing outside of the namespaces is contacted. All of it is removed at the end, also after Ctrl-C.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getMessage } from '../../models/core/operation/errors.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { formatTable, type Row } from './load/table.ts';
import { openWorkspace } from './network/workspace.ts';
import { endAllParts } from './parts/part.ts';
import { KILLS } from './scenarios/kills.ts';
import { LINKS } from './scenarios/links.ts';
import { BASELINE, OPERATIONS, WARM_UP } from './scenarios/operations.ts';
import { runScenario } from './scenarios/run-scenario.ts';
import type { Scenario } from './scenarios/scenario.ts';

const SCENARIOS: readonly Scenario[] = [...KILLS, ...LINKS, ...OPERATIONS];
const DEFAULT_RATE = '1';
/** Exit code of a program that Ctrl-C ends. */
const INTERRUPTED = 130;

interface ClusterOptions {
  readonly scenarios: readonly Scenario[];
  readonly rate: number;
  readonly logs: string | undefined;
  readonly isLoopbackWanted: boolean;
}

/** Reads the command line. @throws Error that names what is wrong */
function readArguments(args: readonly string[]): ClusterOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rate: { type: 'string', default: DEFAULT_RATE },
      logs: { type: 'string' },
      loopback: { type: 'boolean', default: false },
    },
  });
  const known = SCENARIOS.map(({ name }) => name);
  const unknown = positionals.filter((name) => name !== BASELINE.name && !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')}: no such scenario. There are: ${known.join(', ')}`);
  const rate = Number(values.rate);
  if (!(rate > 0)) throw new Error(`--rate: give the jobs of a second, not ${values.rate}`);
  return {
    scenarios: SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    rate,
    logs: values.logs === undefined ? undefined : resolve(values.logs),
    isLoopbackWanted: values.loopback,
  };
}

function report(step: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${step}`);
}

async function runScenarios(cluster: Cluster, { scenarios, rate }: ClusterOptions): Promise<void> {
  const rows: Row[] = [];
  let baselineMs: number | null = null;
  try {
    report(WARM_UP.name);
    await runScenario(cluster, WARM_UP, rate, null);
    for (const scenario of [BASELINE, ...scenarios]) {
      const obstacle = await scenario.findObstacle?.(cluster);
      if (obstacle !== undefined) {
        console.log(`${scenario.name}: skipped, ${obstacle}`);
        continue;
      }
      report(scenario.name);
      const row = await runScenario(cluster, scenario, rate, baselineMs);
      baselineMs ??= row.outcome.healthyMs?.median ?? null;
      rows.push(row);
      report(`${row.name}: ${row.faults.join(', ') || 'as it must be'}`);
    }
  } finally {
    console.log(formatTable(rows, baselineMs));
  }
  if (rows.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('This bench needs Linux, as root.');
  const workspace = openWorkspace(options.isLoopbackWanted);
  let ended: Promise<void> | undefined;
  const endAll = (): Promise<void> => {
    ended ??= workspace.then(
      async ({ close }) => {
        await endAllParts();
        await close();
      },
      () => {},
    );
    return ended;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void endAll().then(() => process.exit(INTERRUPTED)));
  }
  try {
    await runScenarios(await startCluster(await workspace, { logs: options.logs, report }), options);
  } finally {
    await endAll();
  }
}

main().catch((thrown: unknown) => {
  console.error(getMessage(thrown));
  process.exit(2);
});
