import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { closeDb, type Db, openDb, schema } from '../../../server/base/database/db.ts';

/** Database connection of a process that dies at a chosen step. */
export interface MortalDatabase {
  readonly db: Db;
  /** Returns the number of steps so far: each statement, and the moments before and after each commit. */
  countSteps(): number;
  close(): Promise<void>;
}

/** Error of each step of a process that has died. */
export class ProcessDeath extends Error {}

type Unsafe = postgres.Sql['unsafe'];
type Work = (tx: postgres.TransactionSql) => Promise<unknown>;

/**
 * Opens a database for a process that dies at its n-th step, from 1: nothing that follows reaches the database. Beyond
 * the last step it lives.
 * @param die called at that step, which then throws, as each later one does
 */
export function openMortalDatabase(url: string, dieAt: number, die = (): void => {}): MortalDatabase {
  const healthy = openDb(url, { connectionsMax: 4 });
  const { $client: client } = healthy;
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps === dieAt) die();
    if (steps >= dieAt) throw new ProcessDeath(`died at step ${dieAt}`);
  };
  const wrap = (unsafe: Unsafe) => {
    return (...given: Parameters<Unsafe>) => {
      step();
      return unsafe(...given);
    };
  };
  const begin = async (work: Work): Promise<unknown> => {
    const result = await client.begin(async (tx) => {
      const mortal = Object.assign(tx, { unsafe: wrap(tx.unsafe) });
      const made = await work(mortal);
      step();
      return made;
    });
    step();
    return result;
  };
  const overrides = new Map<string | symbol, unknown>([
    ['begin', begin],
    ['unsafe', wrap(client.unsafe)],
  ]);
  const mortal = new Proxy(client, {
    get: (target, name) => overrides.get(name) ?? Reflect.get(target, name),
  });
  return { db: drizzle(mortal, { schema }), countSteps: () => steps, close: () => closeDb(healthy) };
}
