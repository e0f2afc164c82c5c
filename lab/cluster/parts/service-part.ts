import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LAST_BYTES, type Network, type ServiceHost, WEB_HOSTS } from '../network/hosts.ts';
import { type Part, startPart, waitUntil } from './part.ts';
import type { Postgres } from './postgres.ts';
import type { Relays } from './relays.ts';
import type { Store } from './store.ts';

/** Ports of web processes, before the last byte of their address: hosts of the loopback share their ports. */
const FIRST_WEB_PORT = 3000;
/** Debian's libfaketime, which also works for programs with threads. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** Key of the secrets in the database, the same for all hosts. */
export const SECRETS_KEY = randomBytes(32).toString('base64');

export interface StartOptions {
  /** Puts the host's clock under our control. */
  readonly hasFakeClock?: boolean;
  /** Folder of the migrations of another version, which the process finds in place of those of this version. */
  readonly migrations?: string;
}

/** Web or runner process on its own host. */
export interface ServicePart {
  readonly host: ServiceHost;
  /** Own URL of a web process. */
  readonly url: string;
  /** Requests that it has run to their end, as its log says: the request_id of each. */
  readonly runsToEnd: readonly string[];
  start(options?: StartOptions): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  pid(): number;
  /** Moves a clock under our control, to so many seconds ahead of the true time. */
  setClock(seconds: number): Promise<void>;
}

/** Parts of the cluster that a process of the service has to find. */
export interface Surroundings {
  readonly network: Network;
  readonly relays: Relays;
  readonly postgres: Postgres;
  readonly store: Store;
  readonly publicUrl: string;
  readonly folder: string;
  readonly logs: string;
}

export function getWebPort(host: ServiceHost): number {
  return FIRST_WEB_PORT + LAST_BYTES[host];
}

/** Describes a process of the service, which `start` starts. */
export function createServicePart(host: ServiceHost, around: Surroundings): ServicePart {
  const isWeb = WEB_HOSTS.some((web) => web === host);
  const script = isWeb ? 'server/ops/process/web.ts' : 'server/ops/process/runner.ts';
  const clock = join(around.folder, `${host}.clock`);
  const url = `http://${around.network.addressOf(host)}:${getWebPort(host)}`;
  const runsToEnd: string[] = [];
  let part: Part | undefined;
  let isReady = false;
  const onLine = (line: string) => {
    const entry = readEntry(line);
    if (entry.msg === 'job completed') runsToEnd.push(entry.requestId ?? '');
    if (entry.msg === 'web is ready' || entry.msg === 'taking jobs') isReady = true;
  };
  const setClock = async (seconds: number) =>
    await writeFile(clock, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  return {
    host,
    url,
    runsToEnd,
    setClock,
    async start({ hasFakeClock = false, migrations } = {}) {
      const dataDir = join(around.folder, host);
      await mkdir(dataDir, { recursive: true });
      await setClock(0);
      isReady = false;
      const node = [process.execPath, '--import', 'tsx', script];
      const command = around.network.commandOn(
        host,
        hasFakeClock ? ['env', ...fakeClock(clock), ...node] : node,
      );
      const env = { ...getEnvironment(host, around), DATA_DIR: dataDir };
      part = startPart({
        command: migrations === undefined ? command : withMigrations(migrations, command),
        env,
        log: join(around.logs, `${host}.log`),
        onLine,
      });
      const started = part;
      await waitUntil(
        `${host} ready`,
        async () => {
          if (!started.isRunning()) throw new Error(`${host} has ended; its log tells why`);
          return isReady;
        },
        120_000,
      );
    },
    async stop() {
      await part?.stop();
    },
    async kill() {
      await part?.kill();
    },
    pid: () => part?.child.pid ?? Number.NaN,
  };
}

function readEntry(line: string): { msg?: string; requestId?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function getEnvironment(host: ServiceHost, around: Surroundings): Record<string, string> {
  const { network, relays, postgres, store } = around;
  const link = network.addressOf('link');
  return {
    NODE_ENV: 'production',
    PORT: String(getWebPort(host)),
    PUBLIC_URL: around.publicUrl,
    DATABASE_URL: postgres.urlAt(link, relays.getPort(host, 'database')),
    ...store.environmentAt(link, relays.getPort(host, 'store')),
    SECRETS_KEY,
    FETCH_ALLOW_NETWORKS: network.range,
    TRUSTED_PROXIES: '1',
    RATE_LIMIT_BURST: '1000',
    RATE_LIMIT_PER_SECOND: '1000',
    RUNNER_CONCURRENCY: '2',
    RUNNER_MEMORY_MB: '2000',
    MODELS_OFFLINE: '1',
    ACCEPTANCE_DELAY_SECONDS: '86400',
  };
}

/** Returns the variables that let a file set the clock of a process; its timers keep true time. */
function fakeClock(file: string): readonly string[] {
  return [
    `LD_PRELOAD=${FAKETIME}`,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
  ];
}

/** Returns the command line that runs another one where a folder of migrations stands in the place of ours. */
function withMigrations(folder: string, command: readonly string[]): readonly string[] {
  const mount = 'mount --bind "$1" drizzle/migrations && shift && exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', mount, 'sh', folder, ...command];
}
