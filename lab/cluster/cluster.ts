import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Network, SERVICE_HOSTS, type ServiceHost } from './network/hosts.ts';
import type { Workspace } from './network/workspace.ts';
import { type Balancer, startBalancer } from './parts/balancer.ts';
import { type Postgres, startPostgres } from './parts/postgres.ts';
import { type Relays, startRelays } from './parts/relays.ts';
import { createServicePart, type ServicePart } from './parts/service-part.ts';
import { type Store, startStore } from './parts/store.ts';

/** Two web and two runner hosts behind a balancer, with PostgreSQL and a store on a host of their own. */
export interface Cluster {
  readonly network: Network;
  readonly relays: Relays;
  readonly postgres: Postgres;
  readonly store: Store;
  readonly balancer: Balancer;
  readonly parts: Readonly<Record<ServiceHost, ServicePart>>;
  /** Folder for files of the scenarios, which goes with the cluster. */
  readonly folder: string;
}

export interface ClusterOptions {
  /** Folder that keeps the logs; absent, they go with the cluster. */
  readonly logs: string | undefined;
  /** Called with each step in words. */
  readonly report: (step: string) => void;
}

/** Starts a cluster. @throws when a program is missing, or a part does not come up */
export async function startCluster(
  { network, folder }: Workspace,
  { logs: wanted, report }: ClusterOptions,
): Promise<Cluster> {
  const logs = wanted ?? join(folder, 'logs');
  await mkdir(logs, { recursive: true });
  report(`network: ${network.description}`);
  const postgres = await startPostgres(network, folder, logs);
  report('PostgreSQL and its replica are ready');
  const store = await startStore(network, folder, logs);
  const relays = startRelays(network, { database: postgres.target(), store: store.target }, logs);
  const balancer = await startBalancer(network, folder, logs);
  report('store, relays and balancer are ready');
  const around = { network, relays, postgres, store, publicUrl: balancer.url, folder, logs };
  const describe = (host: ServiceHost) => createServicePart(host, around);
  const parts = {
    web1: describe('web1'),
    web2: describe('web2'),
    runner1: describe('runner1'),
    runner2: describe('runner2'),
  };
  await Promise.all(SERVICE_HOSTS.map((host) => parts[host].start()));
  report('two web and two runner processes are ready');
  return { network, relays, postgres, store, balancer, parts, folder };
}
