import { type EmbeddedPostgres, startPostgres } from './embedded/index.ts';
import { isAlive } from './is-alive.ts';
import type { Logger } from './log.ts';

const CHECK_EVERY_MS = 500;

/**
 * Starts the embedded PostgreSQL and starts it again whenever it dies. Its URL never changes: clients reconnect.
 * @returns the URL, and `stop`, which ends watching and server
 */
export async function keepPostgres(options: {
  dataDir: string;
  log: Logger;
}): Promise<{ url: string; stop(): Promise<void> }> {
  const { dataDir, log } = options;
  let server: EmbeddedPostgres = await startPostgres({ dataDir });
  let stopping = false;
  const watch = async (): Promise<void> => {
    while (!stopping) {
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS).unref());
      if (stopping || isAlive(server.pid)) continue;
      log.error('the embedded PostgreSQL has died and is started again');
      server = await startPostgres({ dataDir });
    }
  };
  const watching = watch().catch((err) =>
    log.fatal({ err }, 'the embedded PostgreSQL does not come up again'),
  );
  return {
    url: server.url,
    async stop() {
      stopping = true;
      await Promise.race([watching, new Promise((resolve) => setTimeout(resolve, 2 * CHECK_EVERY_MS))]);
      await server.stop();
    },
  };
}
