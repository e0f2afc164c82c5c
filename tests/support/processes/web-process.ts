import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, spawnPart, stopPart, waitUntilHealthy } from '../../../lab/support/service.ts';
import { compiledPartsDir } from '../../../server/base/children/compiled-parts.ts';
import { createTestDatabase } from '../service/database.ts';
import { removeFolder } from '../setup/remove-folder.ts';

export interface WebProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Its DATA_DIR. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/**
 * Starts only the web process of the built product, on a temporary database, for tests that need no jobs: the whole
 * service would be nine more processes.
 */
export async function startWebProcess(environment: Record<string, string> = {}): Promise<WebProcess> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-web-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { process: child, output } = spawnPart(join(compiledPartsDir(''), 'web.mjs'), {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...environment,
  });
  await waitUntilHealthy(url, child, output);
  return {
    url,
    port,
    pid: child.pid as number,
    dataDir,
    async stop() {
      await stopPart(child);
      await database.drop();
      await removeFolder(dataDir);
    },
  };
}
