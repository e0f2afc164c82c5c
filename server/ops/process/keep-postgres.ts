import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from '../../base/is-alive.ts';
import type { Logger } from '../../base/log.ts';
import { type EmbeddedPostgres, startPostgres } from '../embedded/index.ts';
import { HEALTH_RULE, type HealthRule } from './watch-health.ts';

const CHECK_EVERY_MS = 500;
/** Pause between restarts. A failed start has already been retried for 10 s. */
const RETRY_DELAY_MS = 2_000;

/**
 * Starts the embedded PostgreSQL and restarts it whenever it dies or no longer responds, until a restart succeeds. Its
 * URL never changes: clients reconnect.
 * @returns the URL, and `stop`, which ends watching and server
 */
export async function keepPostgres(options: {
  dataDir: string;
  log: Logger;
  health?: HealthRule;
}): Promise<{ url: string; stop(): Promise<void> }> {
  const { dataDir, log, health = HEALTH_RULE } = options;
  let server: EmbeddedPostgres = await startPostgres({ dataDir });
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => wait(ms, undefined, { ref: false, signal }).catch(() => {});
  /** Asks until the server has died or left several questions in a row unanswered; ends it then. */
  const untilDead = async (): Promise<void> => {
    let askedAtMs = performance.now();
    for (let misses = 0; misses < health.missesMax; ) {
      await pause(CHECK_EVERY_MS);
      if (signal.aborted || !isAlive(server.pid)) return;
      if (performance.now() - askedAtMs < health.everyMs) continue;
      misses = (await server.acceptsConnections(health.everyMs)) ? 0 : misses + 1;
      askedAtMs = performance.now();
    }
    log.error('the embedded PostgreSQL does not respond and is ended');
    await server.kill(health.graceMs);
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await untilDead();
      if (signal.aborted) return;
      log.error('the embedded PostgreSQL has died and is restarted');
      try {
        server = await startPostgres({ dataDir, signal });
      } catch (err) {
        if (signal.aborted) return;
        // A full disk, say, on which an operator may yet make room.
        log.fatal({ err }, 'the embedded PostgreSQL does not come up; it is tried again');
        await pause(RETRY_DELAY_MS);
      }
    }
  };
  const watching = watch().then(() => 'over' as const);
  return {
    url: server.url,
    async stop() {
      stopping.abort();
      // A restart may be under way, and its server appear at any moment until the watch is over.
      do await server.stop().catch(() => {});
      while ((await Promise.race([watching, wait(CHECK_EVERY_MS)])) !== 'over');
      await server.stop();
    },
  };
}
