import { fileURLToPath } from 'node:url';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { closeDb, openDb } from './db.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../drizzle/migrations', import.meta.url));
/** Ours among all advisory locks of the database; any fixed number. */
const LOCK = 5_318_008_021;

/** Migrates the database to this version. Concurrent processes take turns. */
export async function migrate(databaseUrl: string): Promise<void> {
  // An index on a large table takes its time, and so does another process that migrates.
  const db = openDb(databaseUrl, { connectionsMax: 1, statementTimeoutMs: 0 });
  try {
    await db.$client`select pg_advisory_lock(${LOCK})`;
    await applyMigrations(db, { migrationsFolder: MIGRATIONS_DIR });
  } finally {
    await closeDb(db);
  }
}
