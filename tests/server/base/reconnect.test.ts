import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDb, setStatementTimeout, type Tx } from '../../../server/base/database/db.ts';
import { markBuiltReads, readOnly } from '../../../server/base/database/read-only.ts';
import { reconnect } from '../../../server/base/database/reconnect.ts';
import { createTestDatabase, type TestDatabase } from '../../support/service/database.ts';

const IDLE_MS = 1_500;
const POLICY = { recoveryMs: 500, idleTimeoutMs: IDLE_MS, responseTimeoutMs: IDLE_MS * 4 };

let database: TestDatabase;
/** Passes connections on to PostgreSQL. Those that `sockets` holds can be made silent without being closed. */
let server: Server;
const sockets = new Set<Socket>();
/** Whether new connections get no word from PostgreSQL either. */
let isUnreachable = false;
/** Whether new connections end with the first request, once PostgreSQL is ready for it. */
let endsEarly = false;
/** Message of PostgreSQL that is ready for a request, without its last byte. */
const READY = Buffer.from('Z\0\0\0\x05', 'latin1');
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const address = new URL(database.url);
  const socketPath = `${address.searchParams.get('host')}/.s.PGSQL.${address.port || 5432}`;
  server = createServer((incoming) => {
    sockets.add(incoming.on('error', () => {}));
    if (isUnreachable) return void incoming.pause();
    const outgoing = connect(socketPath);
    if (endsEarly)
      outgoing.once(
        'data',
        (chunk) => chunk.includes(READY) && incoming.once('data', () => incoming.resetAndDestroy()),
      );
    incoming.pipe(outgoing).pipe(incoming);
    sockets.add(outgoing.on('error', () => {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  url = `postgres://postgres@127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}${address.pathname}`;
});

afterEach(() => {
  isUnreachable = false;
  endsEarly = false;
});

afterAll(async () => {
  server.close();
  for (const socket of sockets) socket.destroy();
  await database.drop();
});

/** Makes all connections that are open silent for ever, as those to a machine that has lost its power. */
function loseMachine(): void {
  for (const socket of sockets) {
    socket.unpipe();
    socket.pause();
  }
}

function openReconnecting(policy = POLICY) {
  return markBuiltReads(drizzle(reconnect(() => openDb(url, { connectionsMax: 2 }).$client, policy)));
}

it('opens new connections once a database whose machine is lost has been silent for a while', {
  tags: ['long'],
}, async () => {
  const db = openReconnecting();
  const readOne = () => db.execute(sql`select 1 as one, '2026-01-01'::date as day`);
  expect(await Promise.all([readOne(), readOne()])).toEqual(Array(2).fill([{ one: 1, day: '2026-01-01' }]));
  loseMachine();
  const writes = db.execute(sql`create temp table written_on_a_lost_machine ()`);
  const outcomes = await Promise.allSettled([writes, db.transaction((tx) => tx.execute(sql`select 2`))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  // The new connections read dates as the first ones did.
  expect(await readOne()).toEqual([{ one: 1, day: '2026-01-01' }]);
  expect(await db.transaction((tx) => tx.execute(sql`select 3 as three`))).toEqual([{ three: 3 }]);
  await db.$client.end({ timeout: 0 });
});

it('ends a transaction within whose statement the machine of the database is lost', {
  tags: ['long'],
}, async () => {
  const db = openReconnecting();
  const lost = db.transaction(async (tx) => {
    await tx.execute(sql`select ${1}::int`);
    loseMachine();
    await tx.execute(sql`select ${2}::int`);
  });
  await expect(lost).rejects.toThrow('The database is not available');
  expect(await db.transaction((tx) => tx.execute(sql`select 3 as three`))).toEqual([{ three: 3 }]);
  await db.$client.end({ timeout: 0 });
});

describe('while others get responses on new connections, an old one without a response is given up', () => {
  let db: ReturnType<typeof openReconnecting>;
  let reads: NodeJS.Timeout;
  beforeEach(async () => {
    db = openReconnecting({ ...POLICY, responseTimeoutMs: IDLE_MS });
    await db.execute(sql`select 1`);
    reads = setInterval(() => db.execute(sql`select 1`).catch(() => {}), 50);
  });
  afterEach(async () => {
    clearInterval(reads);
    await db.$client.end({ timeout: 0 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => db.execute(sql`create temp table written_on_a_lost_machine ()`)],
    ['the beginning of a transaction', () => db.transaction((tx) => tx.execute(sql`select 1`))],
  ])('%s', { tags: ['long'] }, async (_name, send) => {
    loseMachine();
    await expect(send()).rejects.toThrow();
    expect(await db.transaction((tx) => tx.execute(sql`select 3 as three`))).toEqual([{ three: 3 }]);
  });

  it('a statement of a transaction', { tags: ['long'] }, async () => {
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`select ${1}::int`);
      loseMachine();
      await tx.execute(sql`select ${2}::int`);
    });
    await expect(lost).rejects.toThrow('The database is not available');
  });

  it('the end of a transaction', { tags: ['long'] }, async () => {
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`select ${1}::int`);
      loseMachine();
    });
    await expect(lost).rejects.toThrow('The database is not available');
  });

  it('but no transaction that has raised the limit of its statements', { tags: ['long'] }, async () => {
    const slow = db.transaction(async (tx) => {
      await setStatementTimeout(tx as unknown as Tx, { timeoutMs: 60_000 });
      return await tx.execute(sql`select pg_sleep(${(IDLE_MS * 2) / 1000}), 1 as one`);
    });
    expect(await slow).toMatchObject([{ one: 1 }]);
  });
});

it('listens on its new connections, too', async () => {
  const db = openReconnecting();
  const heard: string[] = [];
  await db.$client.listen('news', (text) => heard.push(text));
  await db.execute(sql`select 1`);
  loseMachine();
  await expect(db.transaction((tx) => tx.execute(sql`select 1`))).rejects.toThrow();
  await expect
    .poll(async () => {
      await db.execute(sql`select pg_notify('news', 'heard')`);
      return heard[0];
    })
    .toBe('heard');
  await db.$client.end({ timeout: 0 });
});

it('gives up silent connections although attempts to connect end in the same time, without a response', {
  tags: ['long'],
}, async () => {
  const open = () => postgres(url, { max: 3, connect_timeout: 0.2, backoff: () => 0.05, onnotice: () => {} });
  const db = drizzle(reconnect(open, { ...POLICY, recoveryMs: 100 }));
  await db.execute(sql`select 1`);
  isUnreachable = true;
  loseMachine();
  let hasEnded = false;
  const lost = db.execute(sql`create temp table written_on_a_lost_machine ()`).catch(() => {
    hasEnded = true;
  });
  const reads = setInterval(() => db.execute(sql`select 1`).catch(() => {}), 100);
  await expect.poll(() => hasEnded, { timeout: IDLE_MS * 5 }).toBe(true);
  clearInterval(reads);
  await lost;
  await db.$client.end({ timeout: 0 });
});

it('hears each notification once, however often it had to try to listen again', async () => {
  const db = openReconnecting();
  const heard: string[] = [];
  await db.$client.listen('news', (text) => heard.push(text));
  await db.execute(sql`select 1`);
  loseMachine();
  // Its machine is back before PostgreSQL itself.
  server.close();
  await expect(db.execute(sql`create temp table written_on_a_lost_machine ()`)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  server.listen(Number(new URL(url).port), '127.0.0.1');
  const notify = (text: string) => db.execute(sql`select pg_notify('news', ${text})`).catch(() => {});
  await expect
    .poll(async () => (await notify('again')) && heard.includes('again'), { timeout: 20_000 })
    .toBe(true);
  await notify('once');
  await expect.poll(() => heard.includes('once')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(heard.filter((text) => text === 'once')).toHaveLength(1);
  await db.$client.end({ timeout: 0 });
}, 40_000);

it('listens no more once its client has ended', async () => {
  let isEnded = false;
  let listensAfterEnd = 0;
  const open = () => {
    const client = openDb(url, { connectionsMax: 2 }).$client;
    const { listen } = client;
    client.listen = Object.assign((...args: Parameters<typeof listen>) => {
      if (isEnded) listensAfterEnd++;
      return listen(...args);
    }, listen);
    return client;
  };
  const db = drizzle(reconnect(open, POLICY));
  await db.$client.listen('news', () => {});
  await db.execute(sql`select 1`);
  isUnreachable = true;
  loseMachine();
  await expect(db.execute(sql`create temp table written_on_a_lost_machine ()`)).rejects.toThrow();
  await db.$client.end({ timeout: 0 });
  isEnded = true;
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  expect(listensAfterEnd).toBeLessThanOrEqual(1);
});

it('keeps a slow statement and a long transaction while other responses arrive', async () => {
  const db = openReconnecting();
  const slow = db.transaction((tx) => tx.execute(sql`select pg_sleep(${(IDLE_MS * 2) / 1000}), 1 as one`));
  let hasEnded = false;
  void slow.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) await db.execute(sql`select pg_sleep(0.2)`);
  expect(await slow).toMatchObject([{ one: 1 }]);
  await db.$client.end({ timeout: 0 });
});

it('keeps its connections while no request is pending', async () => {
  const db = openReconnecting();
  const backend = () => db.execute(sql`select pg_backend_pid() as pid`);
  const before = await backend();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS * 1.5));
  expect(await backend()).toEqual(before);
  await db.$client.end({ timeout: 0 });
});

it('sends nothing more after a transaction whose connection was lost', async () => {
  let opened = 0;
  const open = () => {
    opened++;
    return openDb(url, { connectionsMax: 2 }).$client;
  };
  const db = drizzle(reconnect(open, POLICY));
  const lost = db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  await expect(lost).rejects.toThrow();
  expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS * 1.5));
  expect(opened).toBe(1);
  await db.$client.end({ timeout: 0 });
});

it('survives the loss of a connection within a statement of a transaction', async () => {
  const db = openReconnecting();
  const lost = db.transaction(async (tx) => {
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, 200);
    await tx.execute(sql`select pg_sleep(2)`);
  });
  // Without care the driver sends a rollback to no connection, which ends the process.
  await expect(lost).rejects.toThrow('The database is not available');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await db.transaction((tx) => tx.execute(sql`select 1 as one`))).toEqual([{ one: 1 }]);
  await db.$client.end({ timeout: 0 });
});

it('survives the loss of a connection with its first statement', async () => {
  const db = openReconnecting();
  endsEarly = true;
  await expect(db.execute(sql`create temp table written_on_a_lost_connection ()`)).rejects.toThrow();
  endsEarly = false;
  expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await db.$client.end({ timeout: 0 });
});

describe('a statement whose connection is lost', () => {
  /** Runs a statement whose connection closes while it waits. */
  async function loseConnection(run: (db: ReturnType<typeof openReconnecting>) => Promise<unknown>) {
    const db = openReconnecting({ ...POLICY, recoveryMs: 5_000 });
    await db.execute(sql`select 1`);
    const close = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, 200);
    try {
      return await run(db);
    } finally {
      clearTimeout(close);
      await db.$client.end({ timeout: 0 });
    }
  }
  const pause = sql`pg_sleep(1), 1 as one`;

  it('is repeated when it is built as a select', async () => {
    const one = sql<number>`(select 1 from pg_sleep(1))`.as('one');
    expect(await loseConnection((db) => db.select({ one }).from(sql`(values (1)) as v`))).toEqual([
      { one: 1 },
    ]);
  });

  it('is repeated when it counts rows', async () => {
    expect(await loseConnection((db) => db.$count(sql`pg_sleep(1)`))).toBe(1);
  });

  it('is repeated when it is marked as read-only', async () => {
    expect(await loseConnection((db) => db.execute(readOnly(sql`select ${pause}`)))).toMatchObject([
      { one: 1 },
    ]);
  });

  it('fails without a mark, though its text begins like that of a read', async () => {
    await expect(loseConnection((db) => db.execute(sql`select ${pause}`))).rejects.toThrow();
  });
});
