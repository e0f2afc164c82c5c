import { and, eq, type SQL, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { type Writes, writeTogether } from '../../base/database/queries.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { calendarMonth } from '../../base/periods.ts';
import {
  type Capture,
  capturing,
  type Hold,
  hasFunds,
  holding,
  insufficientBalance,
  nothingToCapture,
} from '../wallet/index.ts';
import { recordAlerts } from './alerts.ts';

/** Amount of a key's money. */
interface KeyAmount {
  readonly keyId: string;
  /** Token of the key that spends it, whose limit counts as well. */
  readonly tokenId?: string | null | undefined;
  readonly amount: MicroUsd;
}

/** Amount of an account's money. */
interface AccountAmount {
  readonly accountId: string;
  readonly amount: MicroUsd;
}

const { tokens } = schema;

/** Monthly count of reservations, and who has the cap. */
interface CappedCount {
  readonly count: SQL;
  /** Column of the count that names the owner. */
  readonly ownerId: SQL;
  readonly reserved: SQL;
  readonly owners: SQL;
  /** Name of the owner in a refusal, and the sentence that says what helps. */
  readonly owner: string;
  readonly remedy: string;
}

const OF_KEY: CappedCount = {
  count: sql`key_spending`,
  ownerId: sql`key_id`,
  reserved: sql`spent_micro_usd`,
  owners: sql`api_keys`,
  owner: 'API key',
  remedy: 'Raise it or use another key.',
};

const OF_ACCOUNT: CappedCount = {
  count: sql`account_spending`,
  ownerId: sql`account_id`,
  reserved: sql`reserved_micro_usd`,
  owners: sql`accounts`,
  owner: 'account',
  remedy: 'Raise the cap, or wait for the next month.',
};

/** Price of a job. */
interface Reservation extends Hold {
  /** Key that spends it, and its token; absent where the account itself does. */
  readonly keyId?: string | null;
  readonly tokenId?: string | null | undefined;
}

/** Counts, each with whether it leaves enough for an amount. */
type Room = Readonly<Record<'token' | 'key' | 'account' | 'funds', boolean>>;

/**
 * Reserves money in one statement: counts it for token, key and account in this month, and holds it in the wallet. Each
 * is locked until the transaction ends, in this order; the transaction is to be rolled back when this throws.
 * @param together done behind the locks
 * @throws OperationError `insufficient_balance` naming what does not leave so much
 */
export async function reserve(
  tx: Executor,
  reservation: Reservation,
  together: Writes = { writes: [], notifications: [] },
): Promise<void> {
  const { accountId, keyId, tokenId, amount } = reservation;
  // Each part reads from the one before, so that all transactions lock in one order.
  const counted = sql`exists (select from token_counted)`;
  const keyCounted = sql`exists (select from key_counted)`;
  const accountCounted = sql`exists (select from account_counted)`;
  const tables = [
    sql`token_counted as (${tokenId ? countForToken(tokenId, amount) : sql`select`})`,
    sql`key_counted as (${keyId ? countFor(OF_KEY, keyId, amount, counted) : sql`select where ${counted}`})`,
    sql`account_counted as (${countFor(OF_ACCOUNT, accountId, amount, keyCounted)})`,
    sql`held as (${holding(reservation, accountCounted)})`,
  ];
  const columns = sql`${counted} as token, ${keyCounted} as key, ${accountCounted} as account,
    exists (select from held) as funds`;
  const room = await writeTogether(tx, together, { tables, columns });
  if (!room?.token) throw tokenExceeded(amount);
  if (!room.key) throw capExceeded(OF_KEY, amount);
  if (!room.account) throw capExceeded(OF_ACCOUNT, amount);
  if (!room.funds) throw insufficientBalance(amount);
}

function countForToken(tokenId: string, amount: MicroUsd): SQL {
  return sql`update ${tokens} set spent_micro_usd = spent_micro_usd + ${amount}::bigint
    where ${hasRoom(tokenId, amount)} returning id`;
}

/** @param condition of the count */
function countFor(
  { count, ownerId, reserved, owners }: CappedCount,
  id: string,
  amount: MicroUsd,
  condition: SQL,
): SQL {
  return sql`
    insert into ${count} as counted (${ownerId}, month, ${reserved})
    select id, ${calendarMonth(sql`now()`)}, ${amount}::bigint from ${owners}
      where id = ${id} and (monthly_cap_micro_usd is null or monthly_cap_micro_usd >= ${amount}::bigint) and ${condition}
    on conflict (${ownerId}, month) do update
      set ${reserved} = counted.${reserved} + excluded.${reserved}
      where (select monthly_cap_micro_usd is null
          or monthly_cap_micro_usd >= counted.${reserved} + excluded.${reserved}
        from ${owners} where id = excluded.${ownerId})
    returning ${ownerId}`;
}

/** Cap of a key, and its spending in this calendar month (UTC). */
interface KeySpending {
  /** null: no limit. */
  readonly cap: MicroUsd | null;
  /** Spent or held. */
  readonly spent: MicroUsd;
}

/** Reads the limit of a token, and what it has spent or holds. */
export async function readTokenSpending(db: Executor, tokenId: string): Promise<KeySpending> {
  const { max: cap, spent } = tokens;
  const [row] = await db.select({ cap, spent }).from(tokens).where(eq(tokens.id, tokenId));
  return row ?? { cap: 0n, spent: 0n };
}

function hasRoom(tokenId: string, amount: MicroUsd): SQL | undefined {
  return and(eq(tokens.id, tokenId), sql`${tokens.spent} + ${amount} <= ${tokens.max}`);
}

function tokenExceeded(amount: MicroUsd): OperationError {
  const message = `The limit of this token does not leave ${formatUsd(amount)} USD. Use another token.`;
  return new OperationError('insufficient_balance', message);
}

export async function readKeySpending(db: Executor, keyId: string): Promise<KeySpending> {
  const { apiKeys, keySpending } = schema;
  const isThisMonth = and(
    eq(keySpending.keyId, apiKeys.id),
    eq(keySpending.month, calendarMonth(sql`now()`)),
  );
  const [row] = await db
    .select({ cap: apiKeys.monthlyCap, spent: keySpending.spent })
    .from(apiKeys)
    .leftJoin(keySpending, isThisMonth)
    .where(eq(apiKeys.id, keyId));
  return { cap: row?.cap ?? null, spent: row?.spent ?? 0n };
}

/**
 * Checks that an account could hold an amount now, within its cap and that of the key. It reserves nothing: another
 * request may still be faster.
 * @throws OperationError `insufficient_balance`
 */
export async function assertSpendable(
  db: Executor,
  { accountId, keyId, tokenId, amount }: AccountAmount & Partial<KeyAmount>,
): Promise<void> {
  const [can] = await db.execute<Room>(
    readOnly(sql`
    select ${hasFunds(accountId, amount)} as funds,
      ${tokenId ? sql`exists (select from ${tokens} where ${hasRoom(tokenId, amount)})` : sql`true`} as token,
      ${keyId ? hasBudget(OF_KEY, keyId, amount) : sql`true`} as key,
      ${hasBudget(OF_ACCOUNT, accountId, amount)} as account`),
  );
  if (!can?.funds) throw insufficientBalance(amount);
  if (!can.token) throw tokenExceeded(amount);
  if (!can.key) throw capExceeded(OF_KEY, amount);
  if (!can.account) throw capExceeded(OF_ACCOUNT, amount);
}

/** Returns a condition that holds while a monthly cap leaves an amount. */
function hasBudget({ count, ownerId, reserved, owners }: CappedCount, id: string, amount: MicroUsd): SQL {
  return sql`exists (
    select from ${owners}
    left join ${count} on ${ownerId} = id and month = ${calendarMonth(sql`now()`)}
    where id = ${id}::uuid
      and (monthly_cap_micro_usd is null or monthly_cap_micro_usd >= coalesce(${reserved}, 0) + ${amount}::bigint))`;
}

function capExceeded({ owner, remedy }: CappedCount, amount: MicroUsd): OperationError {
  return new OperationError(
    'insufficient_balance',
    `The monthly cap of this ${owner} does not leave ${formatUsd(amount)} USD. ${remedy}`,
  );
}

/**
 * Refunds a key's reservation whose money was not spent.
 * @param refund.at time of the reservation, which determines its month
 */
export async function refundSpending(
  tx: Executor,
  { keyId, tokenId, amount, at }: KeyAmount & { readonly at: Date },
): Promise<void> {
  if (tokenId) {
    await tx
      .update(tokens)
      .set({ spent: sql`${tokens.spent} - ${amount}` })
      .where(eq(tokens.id, tokenId));
  }
  await tx.execute(sql`
    update key_spending set spent_micro_usd = spent_micro_usd - ${amount}
    where key_id = ${keyId} and month = ${calendarMonth(sql`${at.toISOString()}`)}`);
}

/**
 * Refunds an account's reservation whose money was not spent. One that an earlier version made without counting it changes
 * nothing.
 * @param refund.at time of the reservation, which determines its month
 */
export async function refundAccountSpending(
  tx: Executor,
  { accountId, amount, at }: AccountAmount & { readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update account_spending
    set reserved_micro_usd = greatest(reserved_micro_usd - ${amount}, charged_micro_usd)
    where account_id = ${accountId} and month = ${calendarMonth(sql`${at.toISOString()}`)}`);
}

/** Reservation whose job has completed. */
interface Settlement {
  readonly accountId: string;
  readonly held: MicroUsd;
  /** Part of it that was spent. */
  readonly charged: MicroUsd;
  /** Time of the reservation, which determines its month. */
  readonly at: Date;
  /** Order of the capture; absent where nothing was spent. */
  readonly order?: Capture;
}

/**
 * Counts what a reservation has cost, captures it, and gives the alerts that are due. Rows that all jobs of the account
 * share stay locked until the transaction ends: it has little left to do.
 * @param together done behind the locks
 * @returns whether mails are to be sent once the transaction has committed
 */
export async function settleAccountSpending(
  tx: Tx,
  { accountId, held, charged, at, order }: Settlement,
  together: Writes,
): Promise<boolean> {
  // Counted first, as all transactions lock.
  const counted = sql`counted as (
      update account_spending
      set reserved_micro_usd = greatest(reserved_micro_usd - ${held - charged}::bigint, charged_micro_usd + ${charged}::bigint),
        charged_micro_usd = charged_micro_usd + ${charged}::bigint
      where account_id = ${accountId} and month = ${calendarMonth(sql`${at.toISOString()}`)}
      returning month, charged_micro_usd as charged,
        (select monthly_cap_micro_usd from accounts where id = account_id) as cap
    )`;
  const tables = order ? [counted, capturing(order, sql`(select count(*) from counted) >= 0`)] : [counted];
  const columns = sql`${order ? sql`exists (select from captured)` : sql`true`} as "isCaptured",
    (select month from counted), (select charged from counted), (select cap from counted)`;
  const row = await writeTogether(tx, together, { tables, columns });
  if (order && !row?.isCaptured) throw nothingToCapture(order);
  // Without a cap there is nothing to alert of, and an earlier version counted nothing.
  if (typeof row?.month !== 'string' || row.cap === null) return false;
  const [spent, cap] = [BigInt(String(row.charged)), BigInt(String(row.cap))];
  return await recordAlerts(tx, { accountId, month: row.month, spent, cap });
}
