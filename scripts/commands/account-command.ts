import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { formatUsd, type MicroUsd, parseUsd } from '../../models/core/operation/money.ts';
import type { Db } from '../../server/base/database/db.ts';
import { type Env, readEnv } from '../../server/base/env.ts';
import { openAccount, openSandbox } from '../../server/identity/accounts/index.ts';
import { issueKey } from '../../server/identity/keys/index.ts';
import { listActiveSecrets } from '../../server/io/webhooks/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../../server/jobs/heartbeats.ts';
import { setAccountCap } from '../../server/money/spending/index.ts';
import { readBalance, topUp } from '../../server/money/wallet/index.ts';
import { describeCommandError, readNames } from './flags.ts';
import { withServiceDatabase } from './service-database.ts';

const USAGE = `Opens an account if it is new, credits it, makes a key, and prints all as one line of JSON.

npm run --silent account -- --email E --credit-usd N [--key-name NAME] [--operations MODEL_ID,MODEL_ID]
  [--permissions worker] [--password P] [--test] [--account-cap-usd N]

With --permissions worker the key claims jobs for machines of the account, and reads nothing else.
With --password the account can sign in with that password at once, and its browsers are signed out.
With --test the key is a test key: its jobs cost nothing, and have made-up results.
With --account-cap-usd all keys of the account together spend no more than that in a calendar month (UTC).`;

interface AccountRequest {
  readonly email: string;
  readonly credit: MicroUsd;
  readonly keyName: string;
  readonly operations?: readonly string[];
  readonly permissions?: readonly string[];
  readonly password?: string;
  readonly isTest: boolean;
  readonly accountCap?: MicroUsd;
}

/**
 * Parses the flags.
 * @throws Error that names the invalid flag
 */
function readAccountRequest(args: readonly string[]): AccountRequest {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: 'string' },
      'credit-usd': { type: 'string' },
      'key-name': { type: 'string', default: 'default' },
      operations: { type: 'string' },
      permissions: { type: 'string' },
      password: { type: 'string' },
      test: { type: 'boolean', default: false },
      'account-cap-usd': { type: 'string' },
    },
  });
  const { email, 'credit-usd': creditUsd, 'key-name': keyName, password, test: isTest } = values;
  const { operations, permissions } = values;
  const accountCap = values['account-cap-usd'];
  if (!email) throw new Error('--email: give the e-mail address of the account.');
  if (creditUsd === undefined) throw new Error('--credit-usd: give an amount in US dollars, such as 5 or 0.');
  return {
    email,
    credit: readAmount('credit-usd', creditUsd),
    keyName,
    isTest,
    ...(operations !== undefined && { operations: readNames(operations) }),
    ...(permissions !== undefined && { permissions: readNames(permissions) }),
    ...(password !== undefined && { password }),
    ...(accountCap !== undefined && { accountCap: readAmount('account-cap-usd', accountCap) }),
  };
}

function readAmount(flag: string, text: string): MicroUsd {
  let amount = -1n;
  try {
    amount = parseUsd(text);
  } catch {
    // The message below covers this as well.
  }
  if (amount < 0n) {
    throw new Error(`--${flag}: "${text}" is not an amount in US dollars from 0 up with at most 6 decimals.`);
  }
  return amount;
}

/** Executes the whole order or, when a part is rejected, nothing. */
function applyAccountRequest(
  db: Db,
  { email, credit, keyName, operations, permissions, password, isTest, accountCap }: AccountRequest,
): Promise<object> {
  return db.transaction(async (tx) => {
    const { accountId } = await openAccount(tx, email);
    const holder = isTest ? await openSandbox(tx, accountId) : accountId;
    const { apiKey } = await issueKey(tx, {
      accountId: holder,
      name: keyName,
      ...(operations && { operations }),
      ...(permissions && { permissions }),
    });
    if (accountCap !== undefined) await setAccountCap(tx, accountId, accountCap);
    if (credit > 0n) {
      const idempotencyKey = randomUUID();
      await topUp(tx, { accountId, amount: credit, idempotencyKey, reference: 'account command' });
    }
    if (password !== undefined) {
      // Loaded where it is asked for: it takes a while.
      const { setPassword } = await import('../../server/identity/auth/index.ts');
      await setPassword(tx, { accountId, email, password });
    }
    const [webhookSecret] = await listActiveSecrets(tx, accountId);
    const wallet = await readBalance(tx, accountId);
    return {
      account_id: accountId,
      email,
      api_key: apiKey,
      webhook_secret: webhookSecret,
      balance_usd: formatUsd(wallet.balance),
    };
  });
}

/** Fields of the server's own messages, as the flags of this command. */
const FLAGS: Readonly<Record<string, string>> = {
  email: '--email',
  name: '--key-name',
  operations: '--operations',
  permissions: '--permissions',
  password: '--password',
  accountCap: '--account-cap-usd',
};

/** Says so where no service runs on a database: a key made there is unknown to one that runs on another. */
async function describeUnserved(db: Db, { DATABASE_URL, DATA_DIR }: Env): Promise<string | undefined> {
  const processes = await listProcesses(db);
  const isServed = processes.some(
    ({ part, facts, silentSeconds }) =>
      part === 'web' && !facts.waitsForKey && silentSeconds <= SILENT_SECONDS_MAX,
  );
  if (isServed) return undefined;
  const place = DATABASE_URL ? 'the database of DATABASE_URL' : `the database in ${DATA_DIR} (DATA_DIR)`;
  return `No service runs on ${place}. The key works once one does, and is unknown to a service on any other database.`;
}

/**
 * Runs `npm run account`.
 * @param onNote receives a sentence about a key that no running service knows
 * @returns the line that it prints
 * @throws Error whose message names the invalid flag, and shows the usage
 */
export async function runAccountCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  onNote: (note: string) => void = () => {},
): Promise<string> {
  try {
    const order = readAccountRequest(args);
    const env = readEnv(environment);
    const { line, note } = await withServiceDatabase(env, async (db) => ({
      line: await applyAccountRequest(db, order),
      note: await describeUnserved(db, env),
    }));
    if (note !== undefined) onNote(note);
    return JSON.stringify(line);
  } catch (error) {
    throw new Error(`${describeCommandError(error, FLAGS)}\n\n${USAGE}`);
  }
}
