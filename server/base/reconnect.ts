import type postgres from 'postgres';
import { awaitRecovery } from './await-recovery.ts';
import { isConnectionLost, isConnectionRefused, isDatabaseOutage, OutageError } from './outage.ts';

type Rows = readonly postgres.Row[];
/** Statement of the driver, which runs once somebody waits for it. */
type Statement = ReturnType<postgres.Sql['unsafe']>;

/** A statement that reads may run twice, outside a transaction. */
const READS = /^\s*select\b/i;

/**
 * Makes statements and transactions wait for a database that is away for a moment, such as during its restart. Repeats
 * what was not sent, and statements that only read; a transaction that has begun and a statement that writes fail,
 * since they may have been carried out. Tagged statements of the client wait for nothing.
 * @param timeoutMs longest wait
 */
export function reconnect(client: postgres.Sql, timeoutMs: number): postgres.Sql {
  const unsafe = (text: string, ...rest: unknown[]) => {
    const mayRepeat = (thrown: unknown) =>
      isConnectionRefused(thrown) || (READS.test(text) && isConnectionLost(thrown));
    return repeatable(() => Reflect.apply(client.unsafe, client, [text, ...rest]), mayRepeat, timeoutMs);
  };
  const begin = (...given: unknown[]) => beginOnce(client, given, timeoutMs);
  return new Proxy(client, {
    get(target, name) {
      if (name === 'unsafe') return unsafe;
      return name === 'begin' ? begin : Reflect.get(target, name);
    },
  });
}

/** Builds a statement that is sent again when it may be: a promise of its rows, which `values` makes arrays. */
function repeatable(
  build: () => Statement,
  mayRepeat: (thrown: unknown) => boolean,
  timeoutMs: number,
): Promise<Rows> & { values(): Promise<unknown> } {
  let isArrays = false;
  const send = async (): Promise<Rows> => {
    const statement = build();
    return isArrays ? await statement.values() : await statement;
  };
  // The driver's own statements start later, too: `values` is called first.
  const rows = Promise.resolve().then(() => awaitRecovery(send, mayRepeat, timeoutMs));
  return Object.assign(rows, {
    values() {
      isArrays = true;
      return rows;
    },
  });
}

/** Begins a transaction, again while the database accepts none. */
async function beginOnce(client: postgres.Sql, given: unknown[], timeoutMs: number): Promise<unknown> {
  let isBegun = false;
  const work = given.at(-1) as (tx: postgres.TransactionSql) => unknown;
  const watched = (tx: postgres.TransactionSql) => {
    isBegun = true;
    return work(tx);
  };
  const attempt = () => Reflect.apply(client.begin, client, [...given.slice(0, -1), watched]);
  const mayRepeat = (thrown: unknown) =>
    !isBegun && (isConnectionRefused(thrown) || isConnectionLost(thrown));
  return await awaitRecovery(attempt, mayRepeat, timeoutMs).catch((thrown: unknown) => {
    // Statements report their errors themselves; begin and commit come as the driver's own.
    throw isDatabaseOutage(thrown) ? new OutageError('database', thrown) : thrown;
  });
}
