import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import journal from '../../drizzle/journal-0.1.0.json' with { type: 'json' };
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Migrations of version 0.1.0, oldest first, as the journal of a database has them. */
export const FORMER_JOURNAL: readonly { readonly when: number; readonly hash: string }[] = journal;

/**
 * Creates a database as version 0.1.0 left it: the schema of the baseline with that version's own journal.
 * @param migrations number of its migrations that the journal has; all by default
 */
export async function createFormerDatabase(migrations = FORMER_JOURNAL.length): Promise<TestDatabase> {
  const database = await createTestDatabase({ connectionsMax: 1 });
  const sql = database.db.$client;
  await sql.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public');
  await withMigrations([{ when: 1, tag: '0000_baseline' }], (folder) =>
    migrate(database.db, { migrationsFolder: folder }),
  );
  await sql`delete from drizzle.__drizzle_migrations`;
  for (const { when, hash } of FORMER_JOURNAL.slice(0, migrations)) {
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
  }
  return database;
}

/** Migrates as a process of version 0.1.0 does when it starts. Fails where it would run one of its migrations. */
export async function migrateAsFormer({ db }: Pick<TestDatabase, 'db'>): Promise<void> {
  const entries = FORMER_JOURNAL.map(({ when }) => ({ when, tag: 'former' }));
  await withMigrations(entries, async (folder) => {
    await writeFile(join(folder, 'former.sql'), 'select 1 / 0');
    await migrate(db, { migrationsFolder: folder });
  });
}

/** Makes a copy of the migrations whose journal has other entries. */
async function withMigrations(
  entries: readonly { readonly when: number; readonly tag: string }[],
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-migrations-'));
  try {
    await cp('drizzle/migrations', folder, { recursive: true });
    const path = join(folder, 'meta/_journal.json');
    const kept = JSON.parse(await readFile(path, 'utf8'));
    const changed = entries.map((entry, idx) => ({ ...entry, idx, version: '7', breakpoints: true }));
    await writeFile(path, JSON.stringify({ ...kept, entries: changed }));
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
