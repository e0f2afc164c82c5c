import type postgres from 'postgres';

/** Statements that a connection of the database keeps prepared, each with its plan. */
const PREPARED_MAX = 500;
/** Texts that are remembered until they come again. Lists of values make texts of any length, most of them once. */
const REMEMBERED_MAX = 2_000;

/** Reports whether a statement of this text shall be prepared. */
type IsPrepared = (text: string) => boolean;

/** Function of the driver that sends a statement. */
type Send = (text: string, values?: unknown[], options?: object) => unknown;

/**
 * Options of a prepared statement. The driver may send others behind one that it has prepared, on the same connection:
 * they would wait for whatever lock it waits for. It does not where this function, which its types lack, returns
 * nothing.
 */
const PREPARED = { prepare: true, onexecute: () => {} };

/**
 * Makes a client prepare the statements that come again: the driver sends one that is not prepared in two round trips,
 * and the server parses it each time. The number of statements that a connection holds is bounded, whatever texts come.
 * @returns the client itself
 */
export function prepareStatements(client: postgres.Sql): postgres.Sql {
  const isPrepared = recogniseRepeated();
  prepareOf(client, isPrepared);
  const begin = client.begin as (...given: unknown[]) => unknown;
  const wrapped = (...given: unknown[]) => begin(...given.slice(0, -1), inPrepared(given.at(-1), isPrepared));
  return Object.assign(client, { begin: wrapped });
}

function recogniseRepeated(): IsPrepared {
  const prepared = new Set<string>();
  const seen = new Set<string>();
  return (text) => {
    if (prepared.has(text)) return true;
    if (seen.has(text) && prepared.size < PREPARED_MAX) {
      seen.delete(text);
      prepared.add(text);
      return true;
    }
    if (seen.size >= REMEMBERED_MAX) seen.clear();
    seen.add(text);
    return false;
  };
}

/** Prepares the statements of a client, or of the transaction that it has begun. */
function prepareOf(client: postgres.Sql | postgres.TransactionSql, isPrepared: IsPrepared): void {
  const send = client.unsafe as Send;
  const prepared: Send = (text, values = [], options = {}) =>
    // Without values the driver uses the simple protocol, which several statements in one text need.
    send(text, values, values.length > 0 && isPrepared(text) ? { ...options, ...PREPARED } : options);
  Object.assign(client, { unsafe: prepared });
}

/** Wraps the work of a transaction or a savepoint. */
function inPrepared(work: unknown, isPrepared: IsPrepared): (tx: postgres.TransactionSql) => unknown {
  return (tx) => {
    prepareOf(tx, isPrepared);
    const savepoint = tx.savepoint as (...given: unknown[]) => unknown;
    Object.assign(tx, {
      savepoint: (...given: unknown[]) =>
        savepoint(...given.slice(0, -1), inPrepared(given.at(-1), isPrepared)),
    });
    return (work as (tx: postgres.TransactionSql) => unknown)(tx);
  };
}
