import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type postgres from 'postgres';
import type { Db } from '../../base/database/db.ts';
import { OWNER_ONLY } from '../../base/file-modes.ts';
import { createHashStream, MANIFEST_FILE, type Manifest, tableFile } from './manifest.ts';
import { listMigrations, listTables, type Table } from './tables.ts';

/** Rows in memory at once. */
const PAGE_ROWS = 200;

/**
 * Writes the content of the database, as of one moment, into a new folder, which only its owner may read. The service may
 * run during the backup.
 * @throws Error when the folder exists; a backup that fails leaves nothing
 */
export async function createBackup({ $client }: Db, folder: string): Promise<Manifest> {
  const isTaken = await access(folder).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Error(`${folder}: exists. Name a new folder.`);
  const draft = `${folder}.${process.pid}.part`;
  await mkdir(draft, { recursive: true, mode: OWNER_ONLY.folder });
  try {
    const manifest = await $client.begin('isolation level repeatable read read only', async (sql) => {
      await sql`set local statement_timeout = 0`;
      // It holds no lock that others wait for, while the folder may be slow.
      await sql`set local idle_in_transaction_session_timeout = '10min'`;
      const tables: Manifest['tables'] = [];
      for (const table of await listTables(sql)) tables.push(await writeTable(sql, table, draft));
      const createdAt = new Date().toISOString();
      return { format: 1 as const, createdAt, migrations: await listMigrations(sql), tables };
    });
    await writeFile(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: OWNER_ONLY.file,
    });
    await rename(draft, folder);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Writes the rows of a table, each a line of JSON. */
async function writeTable(
  sql: postgres.TransactionSql,
  { name }: Table,
  folder: string,
): Promise<Manifest['tables'][number]> {
  const rows = sql<{ line: string }[]>`select to_jsonb(t)::text as line from ${sql(name)} t`;
  async function* lines(): AsyncGenerator<string> {
    for await (const page of rows.cursor(PAGE_ROWS)) yield page.map(({ line }) => `${line}\n`).join('');
  }
  const written = createHashStream();
  const file = createWriteStream(tableFile(folder, name), { mode: OWNER_ONLY.file });
  await pipeline(lines, createGzip(), written.stream, file);
  return { name, ...written.result() };
}
