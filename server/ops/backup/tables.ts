import type postgres from 'postgres';
import { BASELINE } from '../../base/database/migrate.ts';

/** Table of the service, as a backup holds it. */
export interface Table {
  readonly name: string;
  /** Columns that hold values, quoted. */
  readonly columns: readonly string[];
  /** Value of each column in a restored row, as SQL. */
  readonly expressions: readonly string[];
  /** Columns whose next value a sequence gives, unquoted. */
  readonly numbered: readonly string[];
}

type Row = { table: string; column: string; type: string; numbered: boolean };

/**
 * Lists the tables whose content a backup holds, by name. Leaves out those that a crash may empty, too (UNLOGGED).
 */
export async function listTables(sql: postgres.ISql): Promise<Table[]> {
  const rows = await sql<Row[]>`
    select relname as table, attname as column, atttypid::regtype::text as type, attidentity <> '' as numbered
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
      and attnum > 0 and not attisdropped and attgenerated = ''
    order by relname, attnum`;
  return [...new Set(rows.map(({ table }) => table))].map((name) => {
    const columns = rows.filter(({ table }) => table === name);
    return {
      name,
      columns: columns.map(({ column }) => `"${column}"`),
      // A number of a transaction says nothing in another cluster, where it would be given again.
      expressions: columns.map(({ column, type }) => (type === 'xid8' ? "'0'::xid8" : `"${column}"`)),
      numbered: columns.filter(({ numbered }) => numbered).map(({ column }) => column),
    };
  });
}

/** Stands for the baseline in a list of migrations. */
const BASELINE_NAME = 'baseline';

/** Returns the migrations that a database has, oldest first: those of two databases with the same tables are equal. */
export async function listMigrations(sql: postgres.ISql): Promise<string[]> {
  const later = await sql<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations where created_at > ${BASELINE.createdAtMs} order by created_at, id`;
  return [BASELINE_NAME, ...later.map(({ hash }) => hash)];
}

/** Returns the migrations of a backup as `listMigrations` does: those of earlier versions list what the baseline replaced. */
export function sinceBaseline(migrations: readonly string[]): string[] {
  return migrations.at(-1) === BASELINE.formerHash ? [BASELINE_NAME] : [...migrations];
}
