import { setImmediate } from 'node:timers/promises';
import postgres from 'postgres';
import { isConnectionLost, isConnectionRefused, isDatabaseOutage, OutageError } from '../outage.ts';
import { type SilenceLimits, type SilenceWatch, watchSilence } from '../watch-silence.ts';
import { awaitRecovery } from './await-recovery.ts';

type Listen = postgres.Sql['listen'];

/** Listeners of channels, which follow their client when it is replaced. */
interface KeptListeners {
  readonly listen: Listen;
  /** Listens again to all channels, on the client of now, as soon as its database is there. */
  moveToCurrent(): void;
}

type Rows = readonly postgres.Row[];

/** Statement of the driver, which runs once somebody waits for it. */
type Statement = ReturnType<postgres.Sql['unsafe']>;

/** Function of the driver that makes a statement. */
type Unsafe = (text: string, ...rest: unknown[]) => Statement;

/** Work of a transaction. */
type Work = (tx: postgres.TransactionSql) => unknown;

/** A statement that reads may run twice, outside a transaction. */
const READS = /^\s*select\b/i;

/** A transaction that names this setting of PostgreSQL has statements that take longer than others may. */
const OWN_LIMIT = 'statement_timeout';

/** Patience of a client, in ms. */
export interface Patience extends SilenceLimits {
  /** Longest wait of a statement for a database that is away. */
  readonly recoveryMs: number;
}

/** Client of now, and the watch over what it is asked. */
interface Peer {
  readonly watch: SilenceWatch;
  readonly recoveryMs: number;
  current(): postgres.Sql;
  /** Replaces a client of which an answer was lost: none of its connections can be relied on. */
  giveUp(client: postgres.Sql): void;
}

/**
 * Makes statements and transactions wait for a database that is away for a moment, such as during its restart. Repeats
 * what was not sent, and statements that only read; a transaction that has begun and a statement that writes fail,
 * since they may have been carried out. Tagged statements of the client wait for nothing. When the database falls
 * silent, as after the loss of its machine, all connections fail and new ones are opened, with the same listeners. So
 * they are when a single answer does not come: what others wait for on the old ones has the time of an answer left.
 * @param open opens a client
 */
export function reconnect(open: () => postgres.Sql, patience: Patience): postgres.Sql {
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
    watch: watchSilence(patience, () => replace(client, 0)),
    recoveryMs: patience.recoveryMs,
    current: () => client,
    giveUp(former) {
      if (former === client) replace(former, patience.answerMs);
    },
  };
  const unsafe = (text: string, ...rest: unknown[]) => {
    const mayRepeat = (thrown: unknown) =>
      isConnectionRefused(thrown) || (READS.test(text) && isConnectionLost(thrown));
    return getStatement((run) => {
      const send = () => ask(peer, { client, isSent: false }, () => run(sendWith(client)(text, ...rest)));
      return awaitRecovery(send, mayRepeat, patience.recoveryMs);
    });
  };
  const begin = (...given: unknown[]) => beginOnce(peer, given);
  return new Proxy(client, {
    get(_, name) {
      if (name === 'unsafe') return unsafe;
      if (name === 'listen') return listeners.listen;
      return name === 'begin' ? begin : Reflect.get(client, name);
    },
    apply: (_, self, given) => Reflect.apply(client, self, given),
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

/** Question to a client: a statement, or the beginning or end of a transaction. */
interface Question {
  readonly client: postgres.Sql;
  /** Whether it has a connection; others may wait for one. */
  readonly isSent: boolean;
}

/** Error of a question without an answer, as the driver reports a connection that it has given up. */
function lostAnswer(): Error {
  return Object.assign(new Error('the database did not answer'), { code: 'CONNECTION_DESTROYED' });
}

/** Notes a question. @param fail called when its answer is lost. @returns a function that ends it */
function expectAnswer(
  { watch, giveUp }: Peer,
  { client, isSent }: Question,
  fail: (thrown: Error) => void,
): (isAnswer: boolean) => void {
  return watch.expectAnswer(isSent, () => {
    giveUp(client);
    fail(lostAnswer());
  });
}

/** Asks a question, and waits for the answer, or the news that none will come. */
async function ask<T>(peer: Peer, question: Question, send: () => Promise<T>): Promise<T> {
  return await new Promise((resolve, reject) => {
    const end = expectAnswer(peer, question, reject);
    send().then(
      (answer) => {
        end(true);
        resolve(answer);
      },
      (thrown) => {
        end(isAnswer(thrown));
        reject(thrown);
      },
    );
  });
}

/** Begins a transaction, again while the database accepts none. */
async function beginOnce(peer: Peer, given: unknown[]): Promise<unknown> {
  let isBegun = false;
  const work = given.at(-1) as Work;
  const attempt = () =>
    carryOut(peer, given.slice(0, -1), (tx) => {
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
 * Carries out a transaction. It fails as soon as its connection is lost: the driver would wait for the answer to a
 * rollback that it cannot send.
 */
async function carryOut(peer: Peer, options: readonly unknown[], work: Work): Promise<unknown> {
  const client = peer.current();
  return await new Promise((resolve, reject) => {
    let isOver = false;
    const fail = (thrown: unknown): void => {
      isOver = true;
      reject(thrown);
    };
    let end = expectAnswer(peer, { client, isSent: false }, fail);
    const watched = async (tx: postgres.TransactionSql) => {
      if (isOver) return await forever();
      end(true);
      watchStatements(peer, client, tx, { isOver: () => isOver, fail });
      const outcome = await settle(work, tx);
      // A commit or rollback to no connection would end this process.
      if (isOver) return await forever();
      end = expectAnswer(peer, { client, isSent: true }, fail);
      return outcome();
    };
    Reflect.apply(client.begin, client, [...options, watched]).then(
      (result: unknown) => {
        end(true);
        resolve(result);
      },
      (thrown: unknown) => {
        end(isAnswer(thrown));
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
      if (isOver()) throw lostAnswer();
      const statement = async () => await run(send(text, ...rest));
      const rows = isBounded ? ask(peer, { client, isSent: true }, statement) : statement();
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

/** Waits for work, and after a failure until the driver has told of a lost connection. @returns its outcome */
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

/** Reports whether an error came from the database or its machine: a connection that is not made in time is silence. */
function isAnswer(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError || !isDatabaseOutage(thrown)) return true;
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNREFUSED';
}

/** Keeps the listeners of a client that may be replaced. @param current returns the client of now */
function keepListening(current: () => postgres.Sql): KeptListeners {
  const known: Parameters<Listen>[] = [];
  const listenAgain = (given: Parameters<Listen>): void => {
    // Once asked, the driver tries by itself until its client ends: each further call would add a listener.
    void current()
      .listen(...given)
      .catch(() => {});
  };
  return {
    async listen(...given) {
      const listening = await current().listen(...given);
      known.push(given);
      return listening;
    },
    moveToCurrent: () => known.forEach(listenAgain),
  };
}
