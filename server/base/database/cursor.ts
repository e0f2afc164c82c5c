import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';

/** Packs the position where a page of a list ends into a text that URLs take. */
export function encodeCursor(parts: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Unpacks a cursor.
 * @param read turns its parts into a position; undefined when they are none
 * @throws OperationError `bad_request` when the text is no cursor of ours
 */
export function decodeCursor<TPosition>(
  text: string | null | undefined,
  read: (parts: readonly unknown[]) => TPosition | undefined,
): TPosition | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    const position = read(JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]);
    if (position !== undefined) return position;
  } catch {
    // The error below covers this as well.
  }
  throw fieldError('cursor', 'is not one that this list gave.');
}

const TIME_AND_ID = z.tuple([z.iso.datetime({ precision: 3 }), z.string().max(200)]);

/** Row after which a page of a list by time and id starts. */
export interface TimeCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** Columns of a list by time and id. */
interface TimeColumns {
  readonly createdAt: AnyPgColumn;
  readonly id: AnyPgColumn;
}

/** Returns the order of a list by time and id, newest first. */
export function newestFirst({ createdAt, id }: TimeColumns): [SQL, SQL] {
  return [sql`${createdAt} desc nulls last`, sql`${id} desc nulls last`];
}

/** Returns the condition of the rows that come after a cursor, newest first: a page costs the same at any depth. */
export function isOlder({ createdAt, id }: TimeColumns, after: TimeCursor | undefined): SQL | undefined {
  const idType = sql.raw(id.getSQLType());
  return (
    after &&
    sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::${idType})`
  );
}

/**
 * Cuts a page from rows of which one more was read than it holds.
 * @returns `next`, where the following page starts; null after the last one
 */
export function cutPage<Row extends { readonly createdAt: Date }>(
  rows: readonly Row[],
  limit: number,
  getId: (row: Row) => string,
): { readonly page: Row[]; readonly next: TimeCursor | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next: last ? { createdAt: last.createdAt, id: getId(last) } : null };
}

/** Packs and reads the cursor of a list by time and id. */
export const timeCursor = {
  pack: ({ createdAt, id }: TimeCursor) => encodeCursor([createdAt.toISOString(), id]),
  unpack: (text: string | null | undefined) =>
    decodeCursor(text, (parts) => {
      const [at, id] = TIME_AND_ID.parse(parts);
      assertStorable(id);
      return at < '1970' ? undefined : { createdAt: new Date(at), id };
    }),
};
