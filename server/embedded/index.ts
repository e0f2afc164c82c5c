import { setTimeout } from 'node:timers/promises';
import { findServer, launchServer, prepareCluster, type Settings, stopServer } from './cluster.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** false: it ran already, started by another process or before a crash of this one. */
  readonly startedHere: boolean;
  /** Stops the server for everyone who uses it. */
  stop(): Promise<void>;
}

const RETRY_MS = 100;
/** How long a start may fail while a killed server's children go, or while another process starts one. */
const FAILING_MS_MAX = 10_000;
const RECOVERY_MS_MAX = 150_000;

/**
 * Makes sure that a real PostgreSQL runs on `<dataDir>/postgres`: attaches to one that does, else starts one that
 * outlives this process. It listens on a unix socket only. May be called by several processes at once.
 * @param options.settings overrides of postgresql.conf, used when the server is started here
 * @throws Error with the end of the server's log when it does not come up
 */
export async function startPostgres(options: {
  dataDir: string;
  settings?: Settings;
}): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataDir);
  const begunAt = Date.now();
  let startedHere = false;
  for (;;) {
    const server = await findServer(cluster);
    if (server?.ready) {
      const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(server.socketDir)}`;
      return { url, pid: server.pid, startedHere, stop: () => stopServer(cluster) };
    }
    const waitedMs = Date.now() - begunAt;
    if (waitedMs > RECOVERY_MS_MAX) throw new Error(`The PostgreSQL in ${cluster.home} does not get ready.`);
    try {
      if (server) await setTimeout(RETRY_MS);
      else {
        await launchServer(cluster, options.settings ?? {});
        startedHere = true;
      }
    } catch (error) {
      if (waitedMs > FAILING_MS_MAX) throw error;
      await setTimeout(RETRY_MS);
    }
  }
}
