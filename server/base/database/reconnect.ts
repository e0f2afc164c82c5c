import { setImmediate } from 'node:timers/promises';
import postgres from 'postgres';
import { isConnectionLost, isConnectionRefused, isDatabaseOutage, OutageError } from '../outage.ts';
import { awaitRecovery } from './await-recovery.ts';
import {
  createInactivityWatchdog,
  type InactivityLimits,
  type InactivityWatchdog,
} from './inactivity-watchdog.ts';
import { isReadOnly } from './read-only.ts';

type Listen = postgres.Sql['listen'];

/** Listeners of channels, which follow their client when it is replaced. */
interface KeptListeners {
  readonly listen: Listen;
  /** Listens again to all channels, on the current client, as soon as its database is available. */
  moveToCurrent(): void;
}

type Rows = readonly postgres.Row[];

/** Statement of the driver, which runs once it is awaited. */
type Statement = ReturnType<postgres.Sql['unsafe']>;

/** Function of the driver that creates a statement. */
type Unsafe = (text: string, ...rest: unknown[]) => Statement;

/** Work of a transaction. */
type Work = (tx: postgres.TransactionSql) => unknown;

/** Property of the client: its requests without a response, of which some wait for a connection. */
export const PENDING = Symbol('pending');

/** A transaction that names this setting of PostgreSQL has statements that take longer than others may. */
const OWN_LIMIT = 'statement_timeout';

/** Time limits of a client, in ms. */
export interface RetryPolicy extends InactivityLimits {
  /** Longest wait of a statement for a database that is away. */
  readonly recoveryMs: number;
}

/** Current client, and the watchdog over its requests. */
interface Peer {
  readonly watchdog: InactivityWatchdog;
  readonly recoveryMs: number;
  current(): postgres.Sql;
  /** Replaces a client that lost a response: none of its connections can be relied on. */
  giveUp(client: postgres.Sql): void;
}

/**
 * Makes statements and transactions wait for a database that is away for a moment, such as during its restart. Repeats
 * statements that were not sent, and those that are marked as read-only. A transaction that has begun and a statement
 * that may write fail, since the database may have carried them out. Tagged statements of the client wait for nothing.
 * When the database falls silent, as after the loss of its machine, all connections fail and new ones are opened, with
 * the same listeners. A single missing response replaces the connections, too: requests that are pending on the old
 * ones have the time of one response left.
 * @param open opens a client
 */
export function reconnect(open: () => postgres.Sql, policy: RetryPolicy): postgres.Sql {
  let client = open();
  const listeners = keepListening(() => client);
  const replace = (former: postgres.Sql, graceMs: number): void => {
    client = open();
    listeners.moveToCurrent();
    const end = () => void former.end({ timeout: 0 }).catch(() => {});
    if (graceMs > 0) setTimeout(end, graceMs).unref();
    else end();
  };
  const peer: Peer = {
    watchdog: createInactivityWatchdog(policy, () => replace(client, 0)),
    recoveryMs: policy.recoveryMs,
    current: () => client,
    giveUp(former) {
      if (former === client) replace(former, policy.responseTimeoutMs);
    },
  };
  const unsafe = (text: string, ...rest: unknown[]) => {
    const mayRepeat = (thrown: unknown) =>
      isConnectionRefused(thrown) || (isReadOnly(text) && isConnectionLost(thrown));
    return getStatement((run) => {
      const send = () => request(peer, { client, isSent: false }, () => run(sendWith(client)(text, ...rest)));
      return awaitRecovery(send, mayRepeat, policy.recoveryMs);
    });
  };
  const begin = (...args: unknown[]) => beginOnce(peer, args);
  return new Proxy(client, {
    get(_, name) {
      if (name === 'unsafe') return unsafe;
      if (name === 'listen') return listeners.listen;
      if (name === PENDING) return peer.watchdog.countPending();
      return name === 'begin' ? begin : Reflect.get(client, name);
    },
    apply: (_, self, args) => Reflect.apply(client, self, args),
  });
}

/**
 * Builds what the driver calls a statement: a promise of its rows, which `values` makes arrays.
 * @param send sends the driver's own, which `run` starts
 */
function getStatement(
  send: (run: (statement: Statement) => Promise<Rows>) => Promise<Rows>,
): Promise<Rows> & { values(): Promise<unknown> } {
  let isArrays = false;
  const run = async (statement: Statement): Promise<Rows> =>
    isArrays ? await statement.values() : await statement;
  // The driver's own statements start later, too: `values` is called first.
  const rows = Promise.resolve().then(() => send(run));
  return Object.assign(rows, {
    values() {
      isArrays = true;
      return rows;
    },
  });
}

/** Request to a client: a statement, or the beginning or end of a transaction. */
interface PendingRequest {
  readonly client: postgres.Sql;
  /** Whether it has a connection; others may wait for one. */
  readonly isSent: boolean;
}

/** Returns the error of a request without a response, as the driver reports a connection that it has given up. */
function responseLost(): Error {
  return Object.assign(new Error('the database did not respond'), { code: 'CONNECTION_DESTROYED' });
}

/** Tracks a request. @param fail called when its response is lost. @returns a function that ends it */
function trackRequest(
  { watchdog, giveUp }: Peer,
  { client, isSent }: PendingRequest,
  fail: (thrown: Error) => void,
): (isResponse: boolean) => void {
  return watchdog.trackRequest(isSent, () => {
    giveUp(client);
    fail(responseLost());
  });
}

/** Sends a request, and waits for its response, or until none can come any more. */
async function request<T>(peer: Peer, pending: PendingRequest, send: () => Promise<T>): Promise<T> {
  return await new Promise((resolve, reject) => {
    const end = trackRequest(peer, pending, reject);
    send().then(
      (response) => {
        end(true);
        resolve(response);
      },
      (thrown) => {
        end(isResponse(thrown));
        reject(thrown);
      },
    );
  });
}

/** Begins a transaction, again while the database accepts none. */
async function beginOnce(peer: Peer, args: unknown[]): Promise<unknown> {
  let isBegun = false;
  const work = args.at(-1) as Work;
  const attempt = () =>
    runTransaction(peer, args.slice(0, -1), (tx) => {
      isBegun = true;
      return work(tx);
    });
  const mayRepeat = (thrown: unknown) =>
    !isBegun && (isConnectionRefused(thrown) || isConnectionLost(thrown));
  return await awaitRecovery(attempt, mayRepeat, peer.recoveryMs).catch((thrown: unknown) => {
    // Statements report their errors themselves; begin and commit come as the driver's own.
    throw isDatabaseOutage(thrown) ? new OutageError('database', thrown) : thrown;
  });
}

/**
 * Runs a transaction. It fails as soon as its connection is lost: the driver would wait for the response to
 * a rollback that it cannot send.
 */
async function runTransaction(peer: Peer, options: readonly unknown[], work: Work): Promise<unknown> {
  const client = peer.current();
  return await new Promise((resolve, reject) => {
    let hasEnded = false;
    const fail = (thrown: unknown): void => {
      hasEnded = true;
      reject(thrown);
    };
    let end = trackRequest(peer, { client, isSent: false }, fail);
    const watched = async (tx: postgres.TransactionSql) => {
      if (hasEnded) return await forever();
      end(true);
      watchStatements(peer, client, tx, { isOver: () => hasEnded, fail });
      const outcome = await settle(work, tx);
      // A commit or rollback to no connection would end this process.
      if (hasEnded) return await forever();
      end = trackRequest(peer, { client, isSent: true }, fail);
      return outcome();
    };
    Reflect.apply(client.begin, client, [...options, watched]).then(
      (result: unknown) => {
        end(true);
        resolve(result);
      },
      (thrown: unknown) => {
        end(isResponse(thrown));
        fail(thrown);
      },
    );
  });
}

interface TransactionEnd {
  /** Reports whether the connection is lost. */
  isOver(): boolean;
  /** Called when a statement shows that the connection is lost. */
  fail(thrown: unknown): void;
}

/** Watches over the statements of a transaction. None is sent to a lost connection: it would end this process. */
function watchStatements(
  peer: Peer,
  client: postgres.Sql,
  tx: postgres.TransactionSql,
  { isOver, fail }: TransactionEnd,
): void {
  const send = sendWith(tx);
  let isBounded = true;
  const unsafe = (text: string, ...rest: unknown[]) => {
    if (text.includes(OWN_LIMIT)) isBounded = false;
    return getStatement(async (run) => {
      if (isOver()) throw responseLost();
      const statement = async () => await run(send(text, ...rest));
      const rows = isBounded ? request(peer, { client, isSent: true }, statement) : statement();
      return await rows.catch((thrown: unknown) => {
        if (isConnectionLost(thrown)) fail(thrown);
        throw thrown;
      });
    });
  };
  Object.assign(tx, { unsafe });
}

/** Returns the function by which a client or a transaction sends a text. */
const sendWith = (client: postgres.Sql | postgres.TransactionSql): Unsafe => client.unsafe as Unsafe;

/** Never settles. */
const forever = (): Promise<never> => new Promise(() => {});

/** Waits for work, and after a failure until the driver has reported a lost connection. @returns its outcome */
async function settle(work: Work, tx: postgres.TransactionSql): Promise<() => unknown> {
  try {
    const result = await work(tx);
    return () => result;
  } catch (thrown) {
    await setImmediate();
    return () => {
      throw thrown;
    };
  }
}

/** Reports whether an error came from the database or its machine: a connection that times out is no response. */
function isResponse(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError || !isDatabaseOutage(thrown)) return true;
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNREFUSED';
}

/** Keeps the listeners of a client that may be replaced. @param current returns the current client */
function keepListening(current: () => postgres.Sql): KeptListeners {
  const known: Parameters<Listen>[] = [];
  const listenAgain = (args: Parameters<Listen>): void => {
    // Once asked, the driver tries by itself until its client ends: each further call would add a listener.
    void current()
      .listen(...args)
      .catch(() => {});
  };
  return {
    async listen(...args) {
      const listening = await current().listen(...args);
      known.push(args);
      return listening;
    },
    moveToCurrent: () => known.forEach(listenAgain),
  };
}
