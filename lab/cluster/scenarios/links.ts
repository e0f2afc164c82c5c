import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import { type Host, SERVICE_HOSTS, type ServiceHost, type WebHost } from '../network/hosts.ts';
import { SERVED } from '../parts/relays.ts';
import { BURST, type Scenario } from './scenario.ts';

const PARTITION_MS = 30_000;
const SLOW_MS = 20_000;
const STALL_MS = 20_000;
/** Time in which connections that a cut has broken come back. */
const AFTER_MS = 5_000;
/** Half of 200 ms there and back. */
const DELAY_MS = 100;
const LOSS_PERCENT = 2;
const LOSSY_HOSTS: readonly Host[] = [...SERVICE_HOSTS, 'data', 'edge'];

/** Web host that is left alone when a host is cut off; undefined when nothing is. */
const HEALTHY: Readonly<Partial<Record<Host, WebHost>>> = {
  web1: 'web2',
  web2: 'web1',
  runner1: 'web1',
  runner2: 'web1',
  edge: 'web1',
};

const CUT_HOSTS = ['web1', 'web2', 'runner1', 'runner2', 'data', 'edge'] as const;

/** Scenarios that cut, delay or stall the links between hosts. */
export const LINKS: readonly Scenario[] = [
  ...CUT_HOSTS.map(
    (host): Scenario => ({
      name: `partition-${host}`,
      burst: BURST,
      findObstacle: async ({ network }) =>
        host === 'edge' && !network.hasLinks ? 'the balancer has no relay to stall' : undefined,
      async disturb(cluster, sendTo) {
        sendTo(HEALTHY[host]);
        await isolate(cluster, host);
        await wait(AFTER_MS);
      },
    }),
  ),
  {
    name: 'blackhole-runner1',
    burst: BURST,
    findObstacle: async ({ network }) => (network.hasLinks ? undefined : 'loopback has no routes'),
    async disturb({ network }, sendTo) {
      sendTo('web1');
      // Its requests arrive, but no response does.
      await network.blackhole('link', 'runner1');
      await wait(PARTITION_MS);
      await network.mend('link');
      await wait(AFTER_MS);
    },
  },
  {
    name: 'slow-hosts',
    async disturb({ relays }, sendTo) {
      sendTo('web2');
      relays.delay(['web1'], DELAY_MS);
      await wait(SLOW_MS);
      relays.delay(['web1'], 0);
    },
  },
  {
    name: 'slow-network',
    async disturb({ relays }) {
      relays.delay(SERVICE_HOSTS, DELAY_MS);
      await wait(SLOW_MS);
      relays.delay(SERVICE_HOSTS, 0);
    },
  },
  {
    name: 'lossy-network',
    async findObstacle({ network }) {
      const isLossy = await network.lose('link', LOSS_PERCENT);
      await network.mend('link');
      return isLossy ? undefined : 'no packet loss here: the kernel has no netem';
    },
    async disturb({ network }) {
      for (const host of LOSSY_HOSTS) await network.lose(host, LOSS_PERCENT);
      await wait(SLOW_MS);
      for (const host of LOSSY_HOSTS) await network.mend(host);
    },
  },
  {
    name: 'stalled-store',
    async disturb({ relays }) {
      relays.stall(SERVICE_HOSTS, ['store'], true);
      await wait(STALL_MS);
      relays.stall(SERVICE_HOSTS, ['store'], false);
      await wait(AFTER_MS);
    },
  },
  {
    name: 'stalled-database',
    async disturb({ relays }) {
      relays.stall(SERVICE_HOSTS, ['database'], true);
      await wait(STALL_MS);
      relays.stall(SERVICE_HOSTS, ['database'], false);
      await wait(AFTER_MS);
    },
  },
];

/** Cuts a host off for the time of a partition; its relays stall where the network has no links. */
async function isolate({ network, relays }: Cluster, host: Host): Promise<void> {
  if (await network.cut(host)) {
    await wait(PARTITION_MS);
    await network.mend(host);
    return;
  }
  const cut = SERVICE_HOSTS.filter((each: ServiceHost) => host === 'data' || each === host);
  relays.stall(cut, SERVED, true);
  await wait(PARTITION_MS);
  relays.stall(cut, SERVED, false);
}
