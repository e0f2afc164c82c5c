import { setTimeout } from 'node:timers/promises';
import { closeDb, type Db, openDb } from '../../server/base/database/db.ts';
import { migrate } from '../../server/base/database/migrate.ts';
import type { Env } from '../../server/base/env.ts';
import { secureDataDir, startPostgres } from '../../server/ops/embedded/index.ts';
import { readLocalSecretsKey } from '../../server/ops/process/local-secrets-key.ts';

/** Opens the service's database, running or not: an embedded server that had to be started is stopped again. */
export async function withServiceDatabase<T>(env: Env, work: (db: Db) => Promise<T>): Promise<T> {
  const migrated = async (url: string) => {
    await migrate(url);
    return withDatabase(url, work);
  };
  if (env.DATABASE_URL) return migrated(env.DATABASE_URL);
  await secureDataDir(env.DATA_DIR);
  const server = await startPostgres({ dataDir: env.DATA_DIR });
  try {
    if (env.SECRETS_KEY.length > 0) return await migrated(server.url);
    return await withSecretsKey(await readLocalSecretsKey(env.DATA_DIR), () => migrated(server.url));
  } finally {
    // A service that started during the command has attached to the server and keeps it.
    if (server.startedHere && !(await withDatabase(server.url, isUsedByOthers))) await server.stop();
  }
}

/** Gives the work the key of the local install, as `npm start` gives it to its parts. */
async function withSecretsKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  process.env.SECRETS_KEY = key;
  try {
    return await work();
  } finally {
    delete process.env.SECRETS_KEY;
  }
}

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(url, { connectionsMax: 1 });
  return work(db).finally(() => closeDb(db));
}

/**
 * Reports whether others use the database. Closing sessions, such as our own, are visible for a moment: only lasting
 * ones count.
 */
async function isUsedByOthers(db: Db): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const others = await db.$client`
      select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    if (others.length === 0) return false;
    await setTimeout(50);
  }
  return true;
}
