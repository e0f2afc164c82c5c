import { DrizzleQueryError, type ExtractTablesWithRelations, sql } from 'drizzle-orm';
import type { PgTransaction } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import * as schema from '../../../drizzle/schema.ts';
import { markBuiltReads } from './read-only.ts';
import { PENDING, reconnect } from './reconnect.ts';

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

type Schema = typeof schema;

export type Db = PostgresJsDatabase<Schema> & { $client: postgres.Sql };

export type Tx = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;

/** Database or transaction: a function that takes an executor joins the caller's transaction, or runs by itself. */
export type Executor = Db | Tx;

export { schema };

/** A longer statement is cancelled, so that none holds a connection and its locks for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** A transaction that is left idle for longer ends, so that none holds its locks for ever. */
const IDLE_TRANSACTION_MS = 60_000;

/**
 * Settings with which PostgreSQL gives up on a peer that is gone without a word, such as a machine that lost power,
 * after about 11 s; after 30 s where it waits for the peer to take what it has sent.
 */
const LOST_PEERS = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
};

/** Time beyond the limit of a statement after which its response counts as lost, and a database without any as gone. */
const SILENCE_MS = 5_000;

/** Each connection is a process of PostgreSQL: one that is unused for this long ends. */
const IDLE_SECONDS = 20;

const CONNECT_SECONDS = 10;

/** Pauses between attempts to connect: short, since the database may be back at any moment. */
const connectPauseSeconds = (attempts: number): number => Math.min(0.05 * 2 ** attempts, 1);

/** Connections of a pool. Further statements wait for one. */
export const POOL_MAX = 10;

export interface OpenOptions {
  readonly connectionsMax?: number;
  /** Limit of a statement; 0 for none. Defaults to 30 s. */
  readonly statementTimeoutMs?: number;
  /** Limit of a transaction without a statement. Defaults to 60 s. */
  readonly idleTransactionMs?: number;
  /** Longest wait of a statement for a database that is away; 0, the default, for none. */
  readonly recoveryMs?: number;
  /** Keeps a connection open instead of renewing it now and then; called when one closes all the same. */
  readonly onClose?: () => void;
}

/**
 * Opens a connection pool.
 * @param url a postgres:// URL; a unix socket is given as `?host=/folder`
 */
export function openDb(url: string, options: OpenOptions = {}): Db {
  const { connectionsMax, recoveryMs = 0, onClose } = options;
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, idleTransactionMs = IDLE_TRANSACTION_MS } = options;
  // postgres.js accepts a socket's folder as an option only, and would send `host` to the server as a setting.
  const address = new URL(url);
  const socketDir = address.searchParams.get('host');
  address.searchParams.delete('host');
  const open = () => {
    const client = postgres(address.href, {
      max: connectionsMax ?? POOL_MAX,
      onnotice: () => {},
      connect_timeout: CONNECT_SECONDS,
      backoff: connectPauseSeconds,
      // A connection that is lost while the driver reads the types of arrays would end this process. Drizzle reads
      // arrays itself.
      fetch_types: false,
      connection: {
        statement_timeout: statementTimeoutMs,
        idle_in_transaction_session_timeout: idleTransactionMs,
        ...LOST_PEERS,
      },
      ...(socketDir ? { host: socketDir } : {}),
      ...(onClose ? { onclose: onClose, max_lifetime: null } : { idle_timeout: IDLE_SECONDS }),
    });
    // drizzle gives the client its own readers of dates, each client that is opened later as well.
    return drizzle(prepareStatements(client), { schema });
  };
  if (recoveryMs === 0) return open();
  const responseTimeoutMs = statementTimeoutMs + SILENCE_MS;
  const policy = { recoveryMs, idleTimeoutMs: responseTimeoutMs, responseTimeoutMs };
  return markBuiltReads(
    drizzle(
      reconnect(() => open().$client, policy),
      { schema },
    ),
  );
}

/** Raises the statement limit within one transaction. */
export async function setStatementTimeout(tx: Tx, { timeoutMs }: { timeoutMs: number }): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`);
}

/** Returns the requests of a pool without a response: beyond `POOL_MAX` they wait for a connection. */
export function countPending({ $client }: Db): number {
  return ($client as { [PENDING]?: number })[PENDING] ?? 0;
}

export async function closeDb(db: Db): Promise<void> {
  await db.$client.end({ timeout: 5 });
}

/** Returns the name of the constraint that a statement violated, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  const fault = error instanceof DrizzleQueryError ? error.cause : error;
  return fault instanceof postgres.PostgresError ? fault.constraint_name : undefined;
}

/**
 * Reports whether the server itself refused a statement or a commit, so that nothing of its transaction was written.
 * Any other failure, such as a lost connection, leaves that open.
 */
export function isRefusedByServer(error: unknown): boolean {
  const fault = error instanceof DrizzleQueryError ? error.cause : error;
  return fault instanceof postgres.PostgresError && fault.severity === 'ERROR';
}

/**
 * Makes a client prepare the statements that come again: the driver sends one that is not prepared in two round trips,
 * and the server parses it each time. The number of statements that a connection holds is bounded, whatever texts come.
 * @returns the client itself
 */
function prepareStatements(client: postgres.Sql): postgres.Sql {
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
