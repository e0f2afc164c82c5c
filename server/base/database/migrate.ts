import { fileURLToPath } from 'node:url';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { StartRefusedError } from '../start-refused-error.ts';
import { closeDb, type Db, openDb } from './db.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../drizzle/migrations', import.meta.url));
/** Ours among all advisory locks of the database; any fixed number. */
const LOCK = 5_318_008_021;

/** First migration, which makes the whole schema as the last migration of an earlier version left it. */
export const BASELINE = {
  /** Earlier version that brings any older database to this schema. */
  version: '0.1.0',
  /** Time of that version's last migration in the journal of a database. The baseline bears the same. */
  createdAtMs: 1_795_784_059_128,
  /** Hash of that version's last migration. */
  formerHash: '8dca344a1242c74e660e46b0ebf75a90f8e9f73def6d1060de7cd3d84ad64a65',
} as const;

/**
 * Migrates the database to this version. Concurrent processes take turns.
 * @throws StartRefusedError when an earlier version has to migrate it first; nothing has changed then
 */
export async function migrate(databaseUrl: string): Promise<void> {
  // An index on a large table takes its time, and so does another process that migrates.
  const db = openDb(databaseUrl, { connectionsMax: 1, statementTimeoutMs: 0 });
  try {
    await db.$client`select pg_advisory_lock(${LOCK})`;
    await assertNotOutdated(db);
    await applyMigrations(db, { migrationsFolder: MIGRATIONS_DIR });
  } finally {
    await closeDb(db);
  }
}

async function assertNotOutdated({ $client: sql }: Db): Promise<void> {
  const [journal] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (journal?.name === null) return;
  const [last] = await sql`
    select from drizzle.__drizzle_migrations having max(created_at) < ${BASELINE.createdAtMs}`;
  if (!last) return;
  throw new StartRefusedError(
    `The database is older than version ${BASELINE.version} of the service. Start version ${BASELINE.version} on it once, then this version: CHANGELOG.md names the commit.`,
  );
}
