import { type Query, type SQL, sql } from 'drizzle-orm';
import type { PgSession } from 'drizzle-orm/pg-core';

/** Comment before the text of a statement that only reads: it may run twice when its connection is lost. */
const MARK = '/* read only */ ';

/** Marks a raw statement that only reads, for a database that repeats such statements after a lost connection. */
export function readOnly(query: SQL): SQL {
  return sql`${sql.raw(MARK)}${query}`;
}

/** Reports whether the text of a statement is marked as one that only reads. */
export function isReadOnly(text: string): boolean {
  return text.startsWith(MARK);
}

/** Database whose statements a session sends. */
interface WithSession {
  readonly _: { readonly session: Pick<PgSession, 'prepareQuery' | 'count'> };
}

/**
 * Makes a database mark the queries that Drizzle builds as selects. Raw statements are marked by `readOnly` only.
 * Transactions have sessions without marks, since none of their statements is repeated.
 * @returns the database itself
 */
export function markBuiltReads<T extends WithSession>(db: T): T {
  const { session } = db._;
  const prepareQuery = session.prepareQuery.bind(session);
  const count = session.count.bind(session);
  const mark = (query: Query): Query => ({ ...query, sql: MARK + query.sql });
  Object.assign(session, {
    prepareQuery(...[query, ...rest]: Parameters<typeof prepareQuery>) {
      const metadata = rest[4];
      return prepareQuery(metadata?.type === 'select' ? mark(query) : query, ...rest);
    },
    count: (query: SQL) => count(readOnly(query)),
  });
  return db;
}
