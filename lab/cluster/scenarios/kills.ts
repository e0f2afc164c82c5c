import { setTimeout as wait } from 'node:timers/promises';
import { listProcessTree } from '../../support/process-tree.ts';
import { RUNNER_HOSTS, WEB_HOSTS } from '../network/hosts.ts';
import { BURST, type Scenario } from './scenario.ts';

/** Time without the process that was killed. */
const AWAY_MS = 5_000;
/** Rounds of killing every run of a runner; a job may be interrupted twice. */
const ROUNDS = 4;
const ROUND_MS = 3_000;

/** Scenarios that send kill -9 to each process in turn. */
export const KILLS: readonly Scenario[] = [
  {
    name: 'kill-web',
    async disturb({ parts }, sendTo) {
      for (const host of WEB_HOSTS) {
        sendTo(host === 'web1' ? 'web2' : 'web1');
        await parts[host].kill();
        await wait(AWAY_MS);
        await parts[host].start();
      }
    },
  },
  {
    name: 'kill-runner',
    burst: BURST,
    async disturb({ parts }, sendTo) {
      sendTo('web1');
      for (const host of RUNNER_HOSTS) {
        await parts[host].kill();
        await wait(AWAY_MS);
        await parts[host].start();
      }
    },
  },
  {
    name: 'kill-run',
    async disturb({ parts }, sendTo) {
      sendTo('web1');
      for (let round = 0; round < ROUNDS; round++) {
        await wait(ROUND_MS);
        for (const pid of await listChildren(parts.runner1.pid())) killQuietly(pid);
      }
    },
  },
  {
    name: 'kill-balancer',
    async disturb({ balancer }, sendTo) {
      sendTo('web1');
      await balancer.kill();
      await wait(AWAY_MS);
      await balancer.start();
      await wait(AWAY_MS);
    },
  },
  {
    name: 'kill-database',
    burst: BURST,
    async disturb({ postgres }) {
      await postgres.crash();
      await wait(AWAY_MS);
    },
  },
  {
    name: 'kill-store',
    burst: BURST,
    async disturb({ store }) {
      await store.kill();
      await wait(AWAY_MS);
      await store.start();
      await wait(AWAY_MS);
    },
  },
];

async function listChildren(pid: number): Promise<readonly number[]> {
  return (await listProcessTree(pid)).map((each) => each.pid).filter((each) => each !== pid);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
