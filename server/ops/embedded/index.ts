import { setTimeout } from 'node:timers/promises';
import {
  acceptsConnections,
  findServer,
  killServer,
  launchServer,
  prepareCluster,
  type Settings,
  stopServer,
} from './cluster.ts';

export { listOutsideClusters, removeOutsideCluster } from './home.ts';
export { secureDataDir } from './secure-data-dir.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** False when it was already running, started by another process or before a crash of this one. */
  readonly startedHere: boolean;
  /** Reports whether the server responds to a new connection within a time. */
  acceptsConnections(timeoutMs: number): Promise<boolean>;
  /** Stops the server for all its users. */
  stop(): Promise<void>;
  /** Ends a server that does not respond, by force after `graceMs`. Committed data is safe. */
  kill(graceMs: number): Promise<void>;
}

const RETRY_MS = 100;
const FAILING_MS_MAX = 10_000;
const RECOVERY_MS_MAX = 150_000;

/**
 * Ensures that a real PostgreSQL runs on `<dataDir>/postgres`: attaches to a running one, else starts one that
 * outlives this process. It listens on a unix socket only. Several processes may call this at once.
 * @param options.settings overrides of postgresql.conf, used when this call starts the server
 * @param options.failingMsMax how long a start may fail while a killed server's children exit, or while another
 *   process starts one. Defaults to 10 s.
 * @param options.signal ends a start that waits or fails
 * @throws Error with the end of the server's log when it does not come up; the signal's reason once it aborts
 */
export async function startPostgres(options: {
  dataDir: string;
  settings?: Settings;
  failingMsMax?: number;
  signal?: AbortSignal;
}): Promise<EmbeddedPostgres> {
  const { failingMsMax = FAILING_MS_MAX } = options;
  const cluster = await prepareCluster(options.dataDir);
  const begunAt = performance.now();
  let startedHere = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const server = await findServer(cluster);
    if (server?.ready) {
      const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(server.socketDir)}`;
      return {
        url,
        pid: server.pid,
        startedHere,
        acceptsConnections: (timeoutMs) => acceptsConnections(server.socketPath, timeoutMs),
        stop: () => stopServer(cluster),
        kill: (graceMs) => killServer(server.pid, graceMs),
      };
    }
    const waitedMs = performance.now() - begunAt;
    if (waitedMs > RECOVERY_MS_MAX)
      throw new Error(`The PostgreSQL in ${cluster.home} did not become ready.`);
    try {
      if (server) await setTimeout(RETRY_MS);
      else {
        await launchServer(cluster, options.settings ?? {});
        startedHere = true;
      }
    } catch (error) {
      if (waitedMs > failingMsMax) throw error;
      await setTimeout(RETRY_MS);
    }
  }
}
