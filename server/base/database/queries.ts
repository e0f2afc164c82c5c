import { type Column, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from './db.ts';

/** Limit on deletions per statement: milliseconds of locks. */
export const PURGE_BATCH_ROWS = 500;

/** Limit on steps of one purge; the next purge deletes the rest. */
const BATCHES_MAX = 200;

/** Writes of one statement. */
export interface Writes {
  readonly writes: readonly SQL[];
  /** Expressions that are evaluated with them. */
  readonly notifications: readonly SQL[];
}

/**
 * Sends writes as one statement: each statement costs both sides as much as most writes. None of them reads what another
 * writes, and none writes a row of another.
 * @param first tables of the statement, and columns that read them: they are written before the others
 * @returns these columns
 */
export async function writeTogether(
  db: Executor,
  { writes, notifications }: Writes,
  first?: { readonly tables: readonly SQL[]; readonly columns: SQL },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const named = writes.map((write, at) => sql`${sql.identifier(`write_${at}`)} as (${write})`);
  const tables = sql.join([...(first?.tables ?? []), ...named], sql`, `);
  const columns = [...(first ? [first.columns] : []), ...notifications];
  const selected = columns.length > 0 ? sql.join(columns, sql`, `) : sql`1`;
  const [row] = await db.execute<Record<string, unknown>>(sql`with ${tables} select ${selected}`);
  return row;
}

/**
 * Repeats a step that deletes up to {@link PURGE_BATCH_ROWS} rows until none is left, so that no transaction grows
 * long.
 * @param step returns how many rows it has deleted
 * @returns how many were deleted in all
 */
export async function purgeInBatches(step: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let count = 0; count < BATCHES_MAX; count++) {
    const now = await step();
    deleted += now;
    if (now < PURGE_BATCH_ROWS) break;
  }
  return deleted;
}

/** Deletes the rows of a table that are due, in batches. @returns how many */
export async function purgeRows(
  db: Executor,
  table: PgTable & { readonly id: AnyPgColumn },
  isDue: SQL,
): Promise<number> {
  const due = sql`select ${table.id} from ${table} where ${isDue} limit ${PURGE_BATCH_ROWS}`;
  return await purgeInBatches(
    async () =>
      (await db.execute(sql`delete from ${table} where ${table.id} in (${due}) returning 1`)).length,
  );
}

/**
 * Requires rows that some keys or tokens have sent. Those of a token have its key as well.
 * @param ids of keys or tokens; every row when absent
 */
export function isSentBy(
  { keyId, tokenId }: { readonly keyId: Column; readonly tokenId: Column },
  ids: readonly string[] | undefined,
): SQL | undefined {
  return ids && or(inArray(keyId, [...ids]), inArray(tokenId, [...ids]));
}
