import { setImmediate } from 'node:timers/promises';
import postgres from 'postgres';
import { isConnectionLost, isConnectionRefused, isDatabaseOutage, OutageError } from '../outage.ts';
import { type SilenceWatch, watchSilence } from '../watch-silence.ts';
import { awaitRecovery } from './await-recovery.ts';
import { keepListening } from './keep-listening.ts';

type Rows = readonly postgres.Row[];
/** Statement of the driver, which runs once somebody waits for it. */
type Statement = ReturnType<postgres.Sql['unsafe']>;

/** A statement that reads may run twice, outside a transaction. */
const READS = /^\s*select\b/i;

/** Patience of a client, in ms. */
export interface Patience {
  /** Longest wait of a statement for a database that is away. */
  readonly recoveryMs: number;
  /** Longest time without any answer, after which all connections are given up. */
  readonly silenceMs: number;
}

/**
 * Makes statements and transactions wait for a database that is away for a moment, such as during its restart. Repeats
 * what was not sent, and statements that only read; a transaction that has begun and a statement that writes fail,
 * since they may have been carried out. Tagged statements of the client wait for nothing. When the database falls
 * silent, as after the loss of its machine, all connections fail and new ones are opened, with the same listeners.
 * @param open opens a client
 */
export function reconnect(open: () => postgres.Sql, { recoveryMs, silenceMs }: Patience): postgres.Sql {
  let client = open();
  const listeners = keepListening(() => client);
  const watch = watchSilence(silenceMs, () => {
    const silent = client;
    client = open();
    listeners.moveToCurrent();
    void silent.end({ timeout: 0 }).catch(() => {});
  });
  const unsafe = (text: string, ...rest: unknown[]) => {
    const mayRepeat = (thrown: unknown) =>
      isConnectionRefused(thrown) || (READS.test(text) && isConnectionLost(thrown));
    const build = (): Statement => Reflect.apply(client.unsafe, client, [text, ...rest]);
    return repeatable(build, mayRepeat, watch, recoveryMs);
  };
  const begin = (...given: unknown[]) => beginOnce(() => client, given, watch, recoveryMs);
  return new Proxy(client, {
    get(_, name) {
      if (name === 'unsafe') return unsafe;
      if (name === 'listen') return listeners.listen;
      return name === 'begin' ? begin : Reflect.get(client, name);
    },
    apply: (_, self, given) => Reflect.apply(client, self, given),
  });
}

/** Builds a statement that is sent again when it may be: a promise of its rows, which `values` makes arrays. */
function repeatable(
  build: () => Statement,
  mayRepeat: (thrown: unknown) => boolean,
  watch: SilenceWatch,
  timeoutMs: number,
): Promise<Rows> & { values(): Promise<unknown> } {
  let isArrays = false;
  const send = async (): Promise<Rows> => {
    const statement = build();
    return await hearing(watch.expectAnswer(), async () =>
      isArrays ? await statement.values() : await statement,
    );
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

/** Begins a transaction, again while the database accepts none. Its own statements are not watched for silence. */
async function beginOnce(
  current: () => postgres.Sql,
  given: unknown[],
  watch: SilenceWatch,
  timeoutMs: number,
): Promise<unknown> {
  let isBegun = false;
  const work = given.at(-1) as (tx: postgres.TransactionSql) => unknown;
  const attempt = async (): Promise<unknown> => {
    let end = watch.expectAnswer();
    let isOver = false;
    const watched = async (tx: postgres.TransactionSql) => {
      isBegun = true;
      end(true);
      const outcome = await settle(work, tx);
      // The connection was lost meanwhile: a commit or rollback to none would end this process.
      if (isOver) return await new Promise(() => {});
      end = watch.expectAnswer();
      return outcome();
    };
    const client = current();
    return await hearing(
      (isAnswer) => {
        isOver = true;
        end(isAnswer);
      },
      () => Reflect.apply(client.begin, client, [...given.slice(0, -1), watched]),
    );
  };
  const mayRepeat = (thrown: unknown) =>
    !isBegun && (isConnectionRefused(thrown) || isConnectionLost(thrown));
  return await awaitRecovery(attempt, mayRepeat, timeoutMs).catch((thrown: unknown) => {
    // Statements report their errors themselves; begin and commit come as the driver's own.
    throw isDatabaseOutage(thrown) ? new OutageError('database', thrown) : thrown;
  });
}

/** Waits for work, and after a failure until the driver has told of a lost connection. @returns its outcome */
async function settle(
  work: (tx: postgres.TransactionSql) => unknown,
  tx: postgres.TransactionSql,
): Promise<() => unknown> {
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

/** Waits for the outcome of a question, and ends it. */
async function hearing<T>(end: (isAnswer: boolean) => void, question: () => Promise<T>): Promise<T> {
  try {
    const answer = await question();
    end(true);
    return answer;
  } catch (thrown) {
    end(isAnswer(thrown));
    throw thrown;
  }
}

/** Reports whether an error came from the database or its machine: a connection that is not made in time is silence. */
function isAnswer(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError || !isDatabaseOutage(thrown)) return true;
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNREFUSED';
}
