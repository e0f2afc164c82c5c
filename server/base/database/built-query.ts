import type { Executor } from './db.ts';

/**
 * Makes a query that each database builds once, by its first use, and then only sends. Building takes longer than the
 * database needs for a look-up. A transaction builds it again.
 * @param build with a placeholder for each value, ended by `prepare`
 */
export function buildOnce<Query>(build: (db: Executor) => Query): (db: Executor) => Query {
  const built = new WeakMap<Executor, Query>();
  return (db) => {
    const known = built.get(db) ?? build(db);
    built.set(db, known);
    return known;
  };
}
