import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type postgres from 'postgres';
import type { Db } from '../../base/database/db.ts';
import { createHashStream, type Manifest, readManifest, tableFile } from './manifest.ts';
import { listMigrations, listTables, sinceBaseline, type Table } from './tables.ts';

/** Rows in memory at once. */
const PAGE_ROWS = 200;

/**
 * Fills a new database with the content of a backup, in one transaction.
 * @throws Error when the database holds accounts, when another process uses it, or when the backup is damaged or was
 *   made by another version than this one or an earlier one since the baseline; then nothing has changed
 */
export async function restoreBackup({ $client }: Db, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await $client.begin(async (sql) => {
    await sql`set local statement_timeout = 0`;
    await sql`set local idle_in_transaction_session_timeout = '10min'`;
    await assertUnused(sql);
    const migrations = await listMigrations(sql);
    const former = sinceBaseline(manifest.migrations);
    if (former.some((migration, at) => migration !== migrations[at])) {
      throw new Error(
        `${folder}: was made by another version of the service. Restore it with that version, then upgrade.`,
      );
    }
    const tables = await listTables(sql);
    // Triggers would refuse the rows, which the same triggers have let in once.
    await sql`set local session_replication_role = replica`;
    await sql.unsafe(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')}`);
    const isOlder = former.length < migrations.length;
    for (const table of tables) {
      const isNew = isOlder && manifest.tables.every(({ name }) => name !== table.name);
      if (!isNew) await readTable(sql, table, folder, manifest);
    }
    await assertSums(sql);
  });
  return manifest;
}

async function assertUnused(sql: postgres.TransactionSql): Promise<void> {
  const [used] = await sql`select from accounts limit 1`;
  if (used) throw new Error('The database holds accounts. Restore into a new one: set another DATA_DIR.');
  const others = await sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  if (others.length > 0) throw new Error('Another process uses the database. Stop the service first.');
}

async function readTable(
  sql: postgres.TransactionSql,
  table: Table,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const { name, numbered } = table;
  const expected = manifest.tables.find((each) => each.name === name);
  const path = tableFile(folder, name);
  const damaged = (cause?: unknown) => new Error(`${path}: is missing or damaged.`, { cause });
  if (!expected) throw damaged();
  const read = createHashStream();
  await pipeline(
    createReadStream(path),
    read.stream,
    createGunzip(),
    async (bytes: AsyncIterable<Buffer>) => {
      for await (const lines of getPages(bytes)) await insertRows(sql, table, lines);
    },
  ).catch((cause: unknown) => {
    throw damaged(cause);
  });
  if (read.result().sha256 !== expected.sha256) throw damaged();
  for (const column of numbered) {
    await sql`select setval(pg_get_serial_sequence(${name}, ${column}), max(${sql(column)})) from ${sql(name)}`;
  }
}

async function* getPages(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const line of createInterface({
    input: Readable.from(bytes),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    page.push(line);
    if (page.length < PAGE_ROWS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function insertRows(
  sql: postgres.TransactionSql,
  { name, columns, expressions }: Table,
  lines: readonly string[],
): Promise<void> {
  // Columns that later migrations have added keep their defaults.
  const stored = new Set(Object.keys(JSON.parse(lines[0])));
  const isStored = (_: string, at: number) => stored.has(columns[at].slice(1, -1));
  await sql.unsafe(
    `insert into "${name}" (${columns.filter(isStored).join(', ')}) overriding system value
      select ${expressions.filter(isStored).join(', ')} from jsonb_populate_recordset(null::"${name}", $1::text::jsonb)`,
    [`[${lines.join(',')}]`],
  );
}

/** Checks what triggers keep true otherwise: a wallet's balance is the sum of its entries. */
async function assertSums(sql: postgres.TransactionSql): Promise<void> {
  const wrong = await sql`
    select from ledger_accounts where kind = 'wallet' and balance_micro_usd <> coalesce(
      (select sum(amount_micro_usd) from entries where ledger_account_id = ledger_accounts.id), 0)
    limit 1`;
  if (wrong.length > 0) throw new Error('A wallet’s balance is not the sum of its entries.');
}
