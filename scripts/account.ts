import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { messageOf, OperationError } from '../models/errors.ts';
import { formatUsd, type MicroUsd, parseUsd } from '../models/money.ts';
import { openAccount, webhookSecrets } from '../server/accounts/index.ts';
import { closeDb, type Db, openDb } from '../server/db.ts';
import { startPostgres } from '../server/embedded/index.ts';
import { type Env, readEnv } from '../server/env.ts';
import { issueKey } from '../server/keys/index.ts';
import { migrate } from '../server/migrate.ts';
import { balance, topUp } from '../server/wallet/index.ts';

const USAGE = `Opens an account if it is new, credits it, makes a key, and prints all as one line of JSON.

npm run --silent account -- --email E --credit-usd N [--key-name NAME] [--operations MODEL_ID,MODEL_ID]`;

interface Order {
  readonly email: string;
  readonly credit: MicroUsd;
  readonly keyName: string;
  readonly operations?: readonly string[];
}

/** @throws Error that names the flag at fault */
function readOrder(args: readonly string[]): Order {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: 'string' },
      'credit-usd': { type: 'string' },
      'key-name': { type: 'string', default: 'default' },
      operations: { type: 'string' },
    },
  });
  const { email, 'credit-usd': creditUsd, 'key-name': keyName, operations } = values;
  if (!email) throw new Error('--email: give the e-mail address of the account.');
  if (creditUsd === undefined) throw new Error('--credit-usd: give an amount in US dollars, such as 5 or 0.');
  const order = { email, credit: readCredit(creditUsd), keyName };
  if (operations === undefined) return order;
  return { ...order, operations: operations.split(',').map((id) => id.trim()) };
}

function readCredit(text: string): MicroUsd {
  let credit = -1n;
  try {
    credit = parseUsd(text);
  } catch {
    // The message below says it for this as well.
  }
  if (credit < 0n) {
    throw new Error(
      `--credit-usd: "${text}" is not an amount in US dollars from 0 up with at most 6 decimals.`,
    );
  }
  return credit;
}

/** All of it or, when a part is refused, nothing. */
function carryOut(db: Db, { email, credit, keyName, operations }: Order): Promise<object> {
  return db.transaction(async (tx) => {
    const { accountId } = await openAccount(tx, email);
    const { apiKey } = await issueKey(tx, { accountId, name: keyName, ...(operations && { operations }) });
    if (credit > 0n) {
      const idempotencyKey = randomUUID();
      await topUp(tx, { accountId, amount: credit, idempotencyKey, reference: 'account command' });
    }
    const [webhookSecret] = await webhookSecrets(tx, accountId);
    const wallet = await balance(tx, accountId);
    return {
      account_id: accountId,
      email,
      api_key: apiKey,
      webhook_secret: webhookSecret,
      balance_usd: formatUsd(wallet.balance),
    };
  });
}

/** The service's database, running or not: an embedded server that had to be started is stopped again. */
async function onServiceDatabase<T>(env: Env, work: (db: Db) => Promise<T>): Promise<T> {
  const migrated = async (url: string) => {
    await migrate(url);
    return onDatabase(url, work);
  };
  if (env.DATABASE_URL) return migrated(env.DATABASE_URL);
  const server = await startPostgres({ dataDir: env.DATA_DIR });
  try {
    return await migrated(server.url);
  } finally {
    // A service that came up meanwhile has attached to it and keeps it.
    if (server.startedHere && !(await onDatabase(server.url, isUsedByOthers))) await server.stop();
  }
}

async function onDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(url, { connectionsMax: 1 });
  return work(db).finally(() => closeDb(db));
}

/** Sessions that end, as our own did, are seen for a moment longer: only those that stay count. */
async function isUsedByOthers(db: Db): Promise<boolean> {
  for (let look = 0; look < 10; look++) {
    const others = await db.$client`
      select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    if (others.length === 0) return false;
    await setTimeout(50);
  }
  return true;
}

/** The fields of the server's own messages, as the flags of this command. */
const FLAGS: Readonly<Record<string, string>> = {
  email: '--email',
  name: '--key-name',
  operations: '--operations',
};

function explain(error: unknown): string {
  if (!(error instanceof OperationError)) return messageOf(error);
  return error.message.replace(/^\w+(?=: )/, (field) => FLAGS[field] ?? field);
}

try {
  const order = readOrder(process.argv.slice(2));
  const line = await onServiceDatabase(readEnv(), (db) => carryOut(db, order));
  console.log(JSON.stringify(line));
} catch (error) {
  console.error(`${explain(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
