import { parseArgs } from 'node:util';
import { formatUsd, type MicroUsd, parseUsd } from '../../models/core/operation/money.ts';
import type { Db } from '../../server/base/database/db.ts';
import { readEnv } from '../../server/base/env.ts';
import { findAccount, findSandbox, openSandbox } from '../../server/identity/accounts/index.ts';
import {
  issueKey,
  type KeySummary,
  listKeys,
  revokeKey,
  setKeyCap,
  setKeyExpiry,
} from '../../server/identity/keys/index.ts';
import { describeCommandError, readNames } from './flags.ts';
import { withServiceDatabase } from './service-database.ts';

const USAGE = `Lists and changes the API keys of an account, test keys included. Prints each key as one line of JSON.

npm run --silent keys -- list   --email E
npm run --silent keys -- create --email E [--name NAME] [--operations MODEL_ID,MODEL_ID] [--permissions worker]
  [--monthly-cap-usd N] [--expires WHEN] [--test]
npm run --silent keys -- revoke --email E --key KEY
npm run --silent keys -- cap    --email E --key KEY --monthly-cap-usd N|none
npm run --silent keys -- expire --email E --key KEY --expires WHEN|never

With --permissions worker the key claims jobs for machines of the account, and reads nothing else.
KEY is what \`list\` shows as "key", such as mk_1a2b3c4d, or a key's id. WHEN is a moment such as 2027-01-31T12:00:00Z.`;

const OPTIONS = {
  email: { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  operations: { type: 'string' },
  permissions: { type: 'string' },
  'monthly-cap-usd': { type: 'string' },
  expires: { type: 'string' },
  test: { type: 'boolean' },
} as const;

type TextFlag = Exclude<keyof typeof OPTIONS, 'test'>;
type Flags = Readonly<Partial<Record<TextFlag, string>> & { test?: boolean }>;
type Command = (db: Db, accountId: string, flags: Flags) => Promise<object[]>;

/** Flags that a command takes besides --email. */
const COMMANDS: Readonly<Record<string, { readonly flags: readonly string[]; readonly execute: Command }>> = {
  list: {
    flags: [],
    execute: async (db, accountId) => (await listAllKeys(db, accountId)).map(({ key }) => getLine(key)),
  },
  create: {
    flags: ['name', 'operations', 'permissions', 'monthly-cap-usd', 'expires', 'test'],
    async execute(db, accountId, { name = 'default', operations, permissions, expires, test, ...flags }) {
      const { 'monthly-cap-usd': cap } = flags;
      const { keyId, apiKey } = await issueKey(db, {
        accountId: test ? await openSandbox(db, accountId) : accountId,
        name,
        ...(operations !== undefined && { operations: readNames(operations) }),
        ...(permissions !== undefined && { permissions: readNames(permissions) }),
        ...(expires !== undefined && { expiresAt: readMoment(expires) }),
        ...(cap !== undefined && { monthlyCap: readCap(cap) }),
      });
      return [{ ...(await shown(db, accountId, keyId)), api_key: apiKey }];
    },
  },
  revoke: {
    flags: ['key'],
    execute: (db, accountId, flags) => change(db, accountId, flags, (key) => revokeKey(db, key)),
  },
  cap: {
    flags: ['key', 'monthly-cap-usd'],
    execute(db, accountId, flags) {
      const text = required(flags, 'monthly-cap-usd');
      const cap = text === 'none' ? null : readCap(text);
      return change(db, accountId, flags, (key) => setKeyCap(db, key, cap));
    },
  },
  expire: {
    flags: ['key', 'expires'],
    execute(db, accountId, flags) {
      const text = required(flags, 'expires');
      const expiresAt = text === 'never' ? null : readMoment(text);
      return change(db, accountId, flags, (key) => setKeyExpiry(db, key, expiresAt));
    },
  },
};

async function change(
  db: Db,
  accountId: string,
  flags: Flags,
  apply: (key: { accountId: string; keyId: string }) => Promise<void>,
): Promise<object[]> {
  const text = required(flags, 'key');
  const all = await listAllKeys(db, accountId);
  const found = all.filter(({ key: { keyId, prefix } }) => [keyId, prefix].includes(text));
  const [first] = found;
  if (!first) throw new Error(`--key: the account has no key "${text}". List its keys to see them.`);
  if (found.length > 1) throw new Error(`--key: several keys begin with "${text}". Give the key's id.`);
  const { keyId } = first.key;
  await apply({ accountId: first.accountId, keyId });
  return [await shown(db, accountId, keyId)];
}

async function shown(db: Db, accountId: string, keyId: string): Promise<object> {
  const all = await listAllKeys(db, accountId);
  return all.filter(({ key }) => key.keyId === keyId).map(({ key }) => getLine(key))[0] ?? {};
}

/** Lists the keys of an account and of its sandbox, each with the account that it belongs to. */
async function listAllKeys(db: Db, accountId: string): Promise<{ accountId: string; key: KeySummary }[]> {
  const sandboxId = await findSandbox(db, accountId);
  const lists = [accountId, ...(sandboxId === undefined ? [] : [sandboxId])].map(async (id) =>
    (await listKeys(db, id)).map((key) => ({ accountId: id, key })),
  );
  return (await Promise.all(lists)).flat();
}

function getLine(key: KeySummary): object {
  const { keyId, prefix, name, operations, permissions, monthlyCap, spent, createdAt, expiresAt, revokedAt } =
    key;
  return {
    key: prefix,
    id: keyId,
    name,
    state: getState(key),
    operations,
    permissions,
    monthly_cap_usd: monthlyCap === null ? null : formatUsd(monthlyCap),
    spent_this_month_usd: formatUsd(spent),
    created_by: key.createdBy,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  };
}

function getState({ revokedAt, expiresAt }: KeySummary): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= new Date() ? 'expired' : 'active';
}

function required(flags: Flags, name: TextFlag): string {
  const value = flags[name];
  if (value === undefined || value === '') throw new Error(`--${name}: is required.`);
  return value;
}

function readCap(text: string): MicroUsd {
  try {
    return parseUsd(text);
  } catch {
    throw new Error(`--monthly-cap-usd: "${text}" is not an amount in US dollars with at most 6 decimals.`);
  }
}

/** Reads a moment with its time zone: without one it would depend on the machine's. */
function readMoment(text: string): Date {
  const moment = new Date(text);
  if (/^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw new Error(`--expires: "${text}" is not a moment such as 2027-01-31T12:00:00Z.`);
}

/** Fields of the server's own messages, as the flags of this command. */
const FLAGS: Readonly<Record<string, string>> = {
  email: '--email',
  name: '--name',
  operations: '--operations',
  permissions: '--permissions',
  expiresAt: '--expires',
  monthlyCap: '--monthly-cap-usd',
};

/**
 * Runs `npm run keys`.
 * @returns a line of JSON for each key
 * @throws Error with the reason and the usage
 */
export async function runKeysCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const keys = await manageKeys(args, env);
    return keys.map((key) => JSON.stringify(key));
  } catch (error) {
    throw new Error(`${describeCommandError(error, FLAGS)}\n\n${USAGE}`, { cause: error });
  }
}

async function manageKeys(args: readonly string[], env: NodeJS.ProcessEnv): Promise<object[]> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [name = '', ...others] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || others.length > 0) {
    throw new Error(`Give one of the commands ${Object.keys(COMMANDS).join(', ')}.`);
  }
  const wrong = Object.keys(values).find((flag) => flag !== 'email' && !command.flags.includes(flag));
  if (wrong) throw new Error(`--${wrong}: ${name} does not take it.`);
  const email = required(values, 'email');
  return await withServiceDatabase(readEnv(env), async (db) => {
    const { accountId } = await findAccount(db, email);
    return await command.execute(db, accountId, values);
  });
}
