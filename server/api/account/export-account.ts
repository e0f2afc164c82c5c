import { eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { csvRow } from '../../../models/core/operation/csv.ts';
import type { JobLabels } from '../../../models/core/operation/job-labels.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { Context } from '../../base/context.ts';
import { type Db, schema } from '../../base/database/db.ts';
import { findSandbox, listAuditEvents } from '../../identity/accounts/index.ts';
import { listKeys } from '../../identity/keys/index.ts';
import { listLoggedRequests, redactReceiver } from '../../identity/request-log/index.ts';
import { listInvitations, listMembers } from '../../identity/team/index.ts';
import { listDeliveryPage } from '../../io/webhooks/index.ts';
import { findLabels, listJobs } from '../../jobs/index.ts';
import { listPayments } from '../../money/stripe/index.ts';
import { type EntryQuery, listEntries, readBalance } from '../../money/wallet/index.ts';

type Filter = Pick<EntryQuery, 'direction' | 'category'>;

const PAGE = 500;

/** A delivery holds what was sent and what came back: fewer of them are in memory at a time. */
const DELIVERY_PAGE = 50;

type Part = (db: Db, accountId: string) => AsyncGenerator<object>;

/** Lists that grow with use, each by its name in the file. */
const LISTS: Readonly<Record<string, Part>> = {
  payments: getPayments,
  ledger: getLedger,
  activity: getAuditEvents,
  jobs: getJobs,
  requests: getRequests,
  deliveries: getDeliveries,
};

/**
 * Yields all that we keep about an account as pieces of one JSON file: people, money, keys, jobs and webhooks, without
 * secrets. However much it is, a page of each list is in memory at a time.
 * @param by person who exports it: passkeys and sessions are that person's. Absent for the service itself.
 */
export async function* exportAccount(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  by?: string,
): AsyncGenerator<string> {
  const sandboxId = await findSandbox(db, accountId);
  yield JSON.stringify(await getHead(db, { accountId, sandboxId, by })).slice(0, -1);
  for (const [name, list] of Object.entries(LISTS)) yield* writeList(name, list(db, accountId));
  if (sandboxId !== undefined) {
    yield* writeList('test_jobs', getJobs(db, sandboxId));
    yield* writeList('test_requests', getRequests(db, sandboxId));
    yield* writeList('test_deliveries', getDeliveries(db, sandboxId));
  }
  yield '}';
}

async function* writeList(name: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `,"${name}":[`;
  yield* joinLists(items);
  yield ']';
}

interface Exported {
  readonly accountId: string;
  /** The account's sandbox; undefined where it has none. */
  readonly sandboxId: string | undefined;
  /** Person who exports it. */
  readonly by: string | undefined;
}

async function getHead(db: Db, { accountId, sandboxId, by }: Exported): Promise<object> {
  const { users, passkeys, sessions, accounts } = schema;
  const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const account = row && { ...row, eventUrl: row.eventUrl && redactReceiver(row.eventUrl) };
  const people = await db.select().from(users).where(eq(users.accountId, accountId));
  const ownPasskeys = await db
    .select({ name: passkeys.name, createdAt: passkeys.createdAt })
    .from(passkeys)
    .where(isOf(passkeys.userId, by));
  const { createdAt, expiresAt, ipAddress, userAgent } = sessions;
  const ownSessions = await db
    .select({ createdAt, expiresAt, ipAddress, userAgent })
    .from(sessions)
    .where(isOf(sessions.userId, by));
  const money = await readBalance(db, accountId);
  const tested = sandboxId === undefined ? [] : await listKeys(db, sandboxId);
  const keys = [...(await listKeys(db, accountId)), ...tested];
  return {
    account,
    users: people,
    members: await listMembers(db, accountId),
    invitations: await listInvitations(db, accountId),
    passkeys: ownPasskeys,
    sessions: ownSessions,
    balance_usd: formatUsd(money.balance),
    held_usd: formatUsd(money.held),
    keys: keys.map((key) => ({
      ...key,
      monthlyCap: key.monthlyCap === null ? null : formatUsd(key.monthlyCap),
      spent: formatUsd(key.spent),
    })),
  };
}

function isOf(userId: AnyPgColumn, by: string | undefined): SQL {
  return by === undefined ? sql`false` : eq(userId, by);
}

async function* getPayments(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { payments } of pages(listPayments, db, accountId)) {
    for (const { id, state, due, refunded, disputed, isAutomatic, createdAt, receiptUrl } of payments) {
      yield {
        id,
        state,
        isAutomatic,
        createdAt,
        receipt_url: receiptUrl,
        credited_usd: formatUsd(due),
        refunded_usd: formatUsd(refunded),
        disputed_usd: formatUsd(disputed),
      };
    }
  }
}

async function* getLedger(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { entries } of pages(listEntries, db, accountId)) {
    for (const { id, amount, balanceAfter: left, ...entry } of entries) {
      yield {
        id: String(id),
        ...entry,
        amount_usd: formatUsd(amount),
        balance_usd: left === null ? null : formatUsd(left),
      };
    }
  }
}

async function* getAuditEvents(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { events } of pages(listAuditEvents, db, accountId)) {
    // Those of earlier versions hold URLs as they were.
    for (const { id, subject, ...event } of events)
      yield { id: String(id), ...event, subject: subject && redactReceiver(subject) };
  }
}

async function* getJobs(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { jobs } of pages(listJobs, db, accountId)) {
    for (const { held, charged, cacheKey, cachedResult, outputDeliveries, spendingSession, ...job } of jobs) {
      const warnings = getMessages(job.warnings);
      const webhookUrl = job.webhookUrl && redactReceiver(job.webhookUrl);
      yield { ...job, webhookUrl, warnings, held_usd: formatUsd(held), charged_usd: formatUsd(charged) };
    }
  }
}

async function* getRequests(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { requests } of pages(listLoggedRequests, db, accountId)) {
    for (const { id, ...request } of requests) yield { id: String(id), ...request };
  }
}

async function* getDeliveries(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { deliveries } of pages(listDeliveryPage, db, accountId, DELIVERY_PAGE))
    for (const delivery of deliveries) yield { ...delivery, url: redactReceiver(delivery.url) };
}

interface Query {
  readonly accountId: string;
  readonly limit: number;
  readonly after?: unknown;
}

/** Reads a list page by page. */
async function* pages<Asked extends Query, Page extends { readonly next: Asked['after'] | null }>(
  list: (db: Db, query: Asked) => Promise<Page>,
  db: Db,
  accountId: string,
  limit = PAGE,
): AsyncGenerator<Page> {
  for (let after: Asked['after'] | null = undefined; after !== null; ) {
    const page: Page = await list(db, { accountId, after, limit } as Asked);
    yield page;
    after = page.next;
  }
}

async function* joinLists(items: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
}

/**
 * Yields the whole ledger of an account, or the entries that a filter leaves, as CSV (RFC 4180), newest first. A
 * filtered one states no balances.
 */
export async function* ledgerCsv(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  filter: Filter = {},
): AsyncGenerator<string> {
  yield 'time,kind,reference,operation,amount_usd,balance_usd,job_reference,job_metadata\r\n';
  for (let after: Awaited<ReturnType<typeof listEntries>>['next'] | undefined; after !== null; ) {
    const { entries, next } = await listEntries(db, { accountId, ...filter, after, limit: PAGE });
    const labels = await findLabels(db, {
      accountId,
      ids: entries.map(({ reference }) => reference),
    });
    yield entries
      .map(({ createdAt, kind, reference, category, amount, balanceAfter }) => [
        ...[createdAt.toISOString(), kind, reference, category ?? ''],
        ...[formatUsd(amount), balanceAfter === null ? '' : formatUsd(balanceAfter)],
        ...labelCells(labels.get(reference)),
      ])
      .map(csvRow)
      .join('');
    after = next;
  }
}

/** Returns the cells of a job's labels: its metadata is JSON. */
function labelCells({ reference, metadata = {} }: Partial<JobLabels> = {}): string[] {
  return [reference ?? '', Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : ''];
}
