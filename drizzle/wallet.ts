import { sql } from 'drizzle-orm';
import { bigint, check, index, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAt, microUsd, moment, xid8 } from './columns.ts';

// Double entry, append only: triggers in the migrations hold it.

export const ledgerAccountKind = pgEnum('ledger_account_kind', ['wallet', 'funding', 'revenue']);

/**
 * Ledger accounts. Wallets belong to an account; `funding` and `revenue` are the service's own two. Triggers maintain a
 * wallet's balance from the entries and `held` from the holds; nothing else can write them. The service's accounts have
 * no balance column, so that no row is hot for all (sum the entries). For the same reason entries and holds reference
 * these rows, which are never deleted, without a foreign key, which would lock them: the triggers check that they
 * exist.
 */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: ledgerAccountKind('kind').notNull(),
    ownerId: uuid('owner_id'),
    balance: microUsd('balance_micro_usd').notNull().default(sql`0`),
    held: microUsd('held_micro_usd').notNull().default(sql`0`),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('ledger_accounts_owner').on(t.ownerId),
    uniqueIndex('ledger_accounts_house').on(t.kind).where(sql`${t.ownerId} is null`),
    check('ledger_accounts_wallet_owned', sql`(${t.kind} = 'wallet') = (${t.ownerId} is not null)`),
    check('ledger_accounts_no_overdraft', sql`${t.held} >= 0 and ${t.held} <= ${t.balance}`),
  ],
);

export const transferKind = pgEnum('transfer_kind', ['top_up', 'capture', 'adjustment', 'free_credit']);

/** A movement of money: two or more entries that sum to zero, written in one transaction, for ever. */
export const transfers = pgTable('transfers', {
  id: uuid('id').primaryKey().defaultRandom(),
  kind: transferKind('kind').notNull(),
  /** Prevents booking the same movement twice. */
  idempotencyKey: text('idempotency_key').notNull().unique(),
  /** Purpose, as the caller names it: a request_id, a Stripe event id. */
  reference: text('reference').notNull(),
  /** The database transaction that wrote it: no later one may add an entry. */
  writtenIn: xid8('written_in').notNull().default(sql`pg_current_xact_id()`),
  createdAt: createdAt(),
});

export const entries = pgTable(
  'entries',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id),
    ledgerAccountId: uuid('ledger_account_id').notNull(),
    amount: microUsd('amount_micro_usd').notNull(),
    /** In a wallet, what a charge was for: the id of an operation. null for any other entry. */
    category: text('category'),
  },
  (t) => [
    index('entries_transfer').on(t.transferId),
    index('entries_ledger_account').on(t.ledgerAccountId, t.id.desc()),
    index('entries_credits').on(t.ledgerAccountId, t.id.desc()).where(sql`${t.amount} > 0`),
    index('entries_category')
      .on(t.ledgerAccountId, t.category, t.id.desc())
      .where(sql`${t.category} is not null`),
    check('entries_not_zero', sql`${t.amount} <> 0`),
  ],
);

export const holdState = pgEnum('hold_state', ['open', 'captured', 'released']);

export const holds = pgTable(
  'holds',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ledgerAccountId: uuid('ledger_account_id').notNull(),
    amount: microUsd('amount_micro_usd').notNull(),
    state: holdState('state').notNull().default('open'),
    reference: text('reference').notNull().unique(),
    /** The capture, once there is one. */
    transferId: uuid('transfer_id')
      .unique()
      .references(() => transfers.id),
    createdAt: createdAt(),
    settledAt: moment('settled_at'),
  },
  (t) => [
    index('holds_open').on(t.ledgerAccountId).where(sql`${t.state} = 'open'`),
    check('holds_positive', sql`${t.amount} > 0`),
    check('holds_settled_when_not_open', sql`(${t.state} = 'open') = (${t.settledAt} is null)`),
    check('holds_captured_by_transfer', sql`(${t.state} = 'captured') = (${t.transferId} is not null)`),
  ],
);
