import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import { SERVICE_HOSTS } from '../network/hosts.ts';
import { succeeds } from '../network/run-command.ts';
import { FAKETIME, type ServicePart } from '../parts/service-part.ts';
import { BURST, type Scenario } from './scenario.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../../drizzle/migrations');
const BASELINE_MS = 25_000;
const CLOCK_MS = 20_000;
const CLOCK_OFF_SECONDS = 90;
const OUTAGE_MS = 20_000;
const AFTER_MS = 10_000;
/** Time for the jobs of a busy moment to be accepted. */
const ACCEPTED_MS = 10_000;
/** Longer than the service takes a silent database for a slow one. */
const FAIL_OVER_MS = 45_000;
/** A queue of a busy moment. */
const QUEUED_JOBS = 40;
/** Statements of a migration that locks the table of the jobs for a while. */
const MIGRATION = [
  'alter table jobs add column cluster_bench integer',
  'create index jobs_cluster_bench on jobs (cluster_bench)',
  'select pg_sleep(3)',
];

/** Runs without any fault: the measure of all others. */
export const BASELINE: Scenario = {
  name: 'baseline',
  async disturb(_, sendTo) {
    sendTo('web2');
    await wait(BASELINE_MS);
  },
};

/** Load before the baseline, whose figures do not count: the first jobs wait for the first start of everything. */
export const WARM_UP: Scenario = { ...BASELINE, name: 'warm-up' };

/** Scenarios of clocks, fail-over, outages and upgrades. */
export const OPERATIONS: readonly Scenario[] = [
  {
    name: 'clock',
    findObstacle: async () =>
      (await succeeds(['test', '-f', FAKETIME]))
        ? undefined
        : 'libfaketime is missing: apt-get install libfaketime',
    async disturb({ parts: { web2, runner2 } }, sendTo) {
      sendTo('web1');
      for (const part of [web2, runner2]) {
        await part.stop();
        await part.start({ hasFakeClock: true });
      }
      await web2.setClock(CLOCK_OFF_SECONDS);
      await runner2.setClock(-CLOCK_OFF_SECONDS);
      await wait(CLOCK_MS);
      await web2.setClock(-CLOCK_OFF_SECONDS);
      await runner2.setClock(CLOCK_OFF_SECONDS);
      await wait(CLOCK_MS);
      for (const part of [web2, runner2]) {
        await part.stop();
        await part.start();
      }
    },
  },
  {
    name: 'store-outage',
    burst: QUEUED_JOBS,
    prepare: ({ parts }) => atBothRunners(parts, (part) => part.stop()),
    async disturb({ store, parts }) {
      // All are queued when the outage begins.
      await wait(ACCEPTED_MS);
      await store.kill();
      await Promise.all([atBothRunners(parts, (part) => part.start()), wait(OUTAGE_MS)]);
      await store.start();
      await wait(AFTER_MS);
    },
  },
  {
    name: 'database-outage',
    burst: QUEUED_JOBS,
    async disturb({ postgres }) {
      // It ends while the jobs of a busy moment are being sent: none may find its Idempotency-Key locked afterwards.
      await postgres.crash(OUTAGE_MS);
      await wait(AFTER_MS);
    },
  },
  {
    name: 'fail-over',
    burst: BURST,
    async disturb({ postgres, relays }) {
      // The machine of the primary is lost: no one closes its connections.
      relays.stall(SERVICE_HOSTS, ['database'], true);
      await postgres.failOver();
      relays.direct('database', postgres.target());
      relays.stall(SERVICE_HOSTS, ['database'], false);
      await wait(FAIL_OVER_MS);
    },
  },
  {
    name: 'upgrade',
    findObstacle: async () =>
      (await succeeds(['unshare', '--mount', 'true']))
        ? undefined
        : 'no mount namespaces for the new version',
    async disturb({ parts, folder }, sendTo) {
      const migrations = await writeNextVersion(join(folder, 'migrations'));
      for (const host of SERVICE_HOSTS) {
        sendTo(host === 'web1' ? 'web2' : 'web1');
        await parts[host].stop();
        await parts[host].start({ migrations });
      }
    },
  },
];

/** Does something to both runners at once. */
async function atBothRunners(
  { runner1, runner2 }: Cluster['parts'],
  step: (part: ServicePart) => Promise<void>,
): Promise<void> {
  await Promise.all([runner1, runner2].map(step));
}

/** Writes the migrations of a version after this one. @returns their folder */
async function writeNextVersion(folder: string): Promise<string> {
  await cp(MIGRATIONS, folder, { recursive: true });
  const path = join(folder, 'meta/_journal.json');
  const journal: { entries: { idx: number; when: number }[] } = JSON.parse(await readFile(path, 'utf8'));
  const last = journal.entries.at(-1);
  const next = {
    idx: journal.entries.length,
    version: '7',
    when: (last?.when ?? 0) + 1,
    tag: 'next',
    breakpoints: true,
  };
  await writeFile(path, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  await writeFile(join(folder, 'next.sql'), MIGRATION.join(';\n--> statement-breakpoint\n'));
  return folder;
}
