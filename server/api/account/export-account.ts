import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { csvRow } from '../../../models/core/operation/csv.ts';
import type { JobLabels } from '../../../models/core/operation/job-labels.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { Context } from '../../base/context.ts';
import { type Db, schema } from '../../base/database/db.ts';
import { findSandbox, listAuditEvents } from '../../identity/accounts/index.ts';
import { listKeys, listTokens } from '../../identity/keys/index.ts';
import { listLoggedRequests, redactReceiver } from '../../identity/request-log/index.ts';
import { listAccounts, listInvitations, listMembers } from '../../identity/team/index.ts';
import { listUploads } from '../../io/uploads/index.ts';
import { listDeliveryPage } from '../../io/webhooks/index.ts';
import { findLabels, listJobs, listPresets } from '../../jobs/index.ts';
import { listPayments } from '../../money/stripe/index.ts';
import { type EntryQuery, listEntries, readBalance } from '../../money/wallet/index.ts';

type Filter = Pick<EntryQuery, 'direction' | 'category'>;

const PAGE = 500;

/** A delivery holds what was sent and what came back, a job its files: fewer of them are in memory at a time. */
const LARGE_PAGE = 50;

type Part = (db: Db, accountId: string) => AsyncGenerator<object>;

/** Lists that an account and its sandbox have. */
const USED: Readonly<Record<string, Part>> = {
  jobs: getJobs,
  requests: getRequests,
  deliveries: getDeliveries,
  uploads: getUploads,
  presets: getPresets,
};

/** Lists that grow with use, each by its name in the file. */
const LISTS: Readonly<Record<string, Part>> = {
  payments: getPayments,
  ledger: getLedger,
  activity: getAuditEvents,
  ...USED,
};

/**
 * Yields all that we keep about an account as pieces of one JSON file: people, money, keys, jobs, files' names and
 * webhooks, without secrets, and without what the service needs for a day at most: counts of rates and failures, entries
 * of the queue, and responses that an Idempotency-Key repeats. However much it is, a page of each list is in memory at a
 * time.
 * @param by person who exports it: passkeys, sessions and other accounts are that person's. Absent for the service
 *   itself.
 */
export async function* exportAccount(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  by?: string,
): AsyncGenerator<string> {
  const sandboxId = await findSandbox(db, accountId);
  yield JSON.stringify(await getHead(db, { accountId, sandboxId, by })).slice(0, -1);
  for (const [name, list] of Object.entries(LISTS)) yield* writeList(name, list(db, accountId));
  if (sandboxId !== undefined)
    for (const [name, list] of Object.entries(USED)) yield* writeList(`test_${name}`, list(db, sandboxId));
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
  const { users, passkeys, sessions, accounts, selfHostedWorkers } = schema;
  const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const account = row && {
    ...row,
    monthlyCap: formatAmount(row.monthlyCap),
    eventUrl: row.eventUrl && redactReceiver(row.eventUrl),
  };
  const people = await db.select().from(users).where(eq(users.accountId, accountId));
  const { name, deviceType, backedUp, transports } = passkeys;
  const ownPasskeys = await db
    .select({ name, deviceType, backedUp, transports, createdAt: passkeys.createdAt })
    .from(passkeys)
    .where(isOf(passkeys.userId, by));
  const { createdAt, expiresAt, ipAddress, userAgent } = sessions;
  const ownSessions = await db
    .select({ createdAt, expiresAt, ipAddress, userAgent })
    .from(sessions)
    .where(isOf(sessions.userId, by));
  const money = await readBalance(db, accountId);
  const ids = [accountId, ...(sandboxId === undefined ? [] : [sandboxId])];
  const keys = (await Promise.all(ids.map((id) => listKeys(db, id)))).flat();
  const tokens = (await Promise.all(ids.map((id) => listTokens(db, id)))).flat();
  const { name: worker, lastSeenAt } = selfHostedWorkers;
  return {
    account,
    users: people,
    members: await listMembers(db, accountId),
    invitations: await listInvitations(db, accountId),
    accounts: by === undefined ? [] : await listAccounts(db, by),
    passkeys: ownPasskeys,
    sessions: ownSessions,
    balance_usd: formatUsd(money.balance),
    held_usd: formatUsd(money.held),
    ...(await getMoney(db, accountId, ids)),
    keys: keys.map((key) => ({
      ...key,
      monthlyCap: formatAmount(key.monthlyCap),
      spent: formatUsd(key.spent),
    })),
    tokens: tokens.map((token) => ({ ...token, max: formatUsd(token.max), spent: formatUsd(token.spent) })),
    self_hosted_workers: await db
      .select({ name: worker, lastSeenAt })
      .from(selfHostedWorkers)
      .where(eq(selfHostedWorkers.accountId, accountId)),
  };
}

/** Reads the automatic top-ups, the spending by month and the alerts about it. */
async function getMoney(db: Db, accountId: string, ids: readonly string[]): Promise<object> {
  const { automaticTopUps, accountSpending, keySpending, spendingAlerts, apiKeys } = schema;
  const isOwn = inArray(
    keySpending.keyId,
    db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(inArray(apiKeys.accountId, [...ids])),
  );
  // Another member may have set it up: what names that person at Stripe is not the account's.
  const { customerId, paymentMethodId, payerId, ...kept } = getTableColumns(automaticTopUps);
  const [automatic] = await db
    .select(kept)
    .from(automaticTopUps)
    .where(eq(automaticTopUps.accountId, accountId));
  const months = await db.select().from(accountSpending).where(eq(accountSpending.accountId, accountId));
  const keyMonths = await db.select().from(keySpending).where(isOwn);
  const alerts = await db.select().from(spendingAlerts).where(eq(spendingAlerts.accountId, accountId));
  return {
    automatic_top_up: automatic
      ? { ...automatic, threshold: formatUsd(automatic.threshold), amount: formatUsd(automatic.amount) }
      : null,
    spending: months.map(({ month, reserved, charged }) => ({
      month,
      reserved_usd: formatUsd(reserved),
      charged_usd: formatUsd(charged),
    })),
    key_spending: keyMonths.map(({ spent, ...key }) => ({ ...key, spent_usd: formatUsd(spent) })),
    spending_alerts: alerts.map(({ spent, cap, ...alert }) => ({
      ...alert,
      spent_usd: formatUsd(spent),
      cap_usd: formatUsd(cap),
    })),
  };
}

function formatAmount(amount: MicroUsd | null): string | null {
  return amount === null ? null : formatUsd(amount);
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
  for await (const { jobs } of pages(listJobs, db, accountId, LARGE_PAGE)) {
    const { files, items } = await listParts(
      db,
      jobs.map(({ id }) => id),
    );
    for (const { held, charged, cacheKey, cachedResult, spendingSession, ...job } of jobs) {
      yield {
        ...job,
        webhookUrl: job.webhookUrl && redactReceiver(job.webhookUrl),
        warnings: getMessages(job.warnings),
        outputDeliveries: job.outputDeliveries.map((each) => ({ ...each, url: redactReceiver(each.url) })),
        held_usd: formatUsd(held),
        charged_usd: formatUsd(charged),
        files: files.flatMap(({ jobId, ...file }) => (jobId === job.id ? [file] : [])),
        items: items.flatMap(({ jobId, ...item }) => (jobId === job.id ? [item] : [])),
      };
    }
  }
}

/** Lists the files and the batch items of jobs, each in order. */
async function listParts(db: Db, jobIds: readonly string[]) {
  const { files, batchItems } = schema;
  const { key: _key, ...columns } = getTableColumns(files);
  const rows = await db
    .select(columns)
    .from(files)
    .where(inArray(files.jobId, [...jobIds]))
    .orderBy(asc(files.role), asc(files.position));
  const { jobId, position, outcome } = batchItems;
  return {
    files: rows.map((file) => ({
      ...file,
      sha256: file.sha256.toString('hex'),
      sourceUrl: file.sourceUrl && redactReceiver(file.sourceUrl),
    })),
    items: await db
      .select({ jobId, position, outcome })
      .from(batchItems)
      .where(inArray(jobId, [...jobIds]))
      .orderBy(asc(position)),
  };
}

async function* getRequests(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { requests } of pages(listLoggedRequests, db, accountId)) {
    for (const { id, ...request } of requests) yield { id: String(id), ...request };
  }
}

async function* getDeliveries(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { deliveries } of pages(listDeliveryPage, db, accountId, LARGE_PAGE))
    for (const delivery of deliveries) yield { ...delivery, url: redactReceiver(delivery.url) };
}

async function* getUploads(db: Db, accountId: string): AsyncGenerator<object> {
  for await (const { uploads } of pages(listUploads, db, accountId)) {
    // The token is the URL of the upload, which gives access to its bytes.
    for (const { token: _token, parts: _parts, sha256, ...upload } of uploads)
      yield { ...upload, sha256: sha256?.toString('hex') ?? null };
  }
}

/** Yields the presets with all their versions. */
async function* getPresets(db: Db, accountId: string): AsyncGenerator<object> {
  const { presets } = schema;
  for (const { name } of await listPresets(db, accountId)) {
    yield* await db
      .select()
      .from(presets)
      .where(and(eq(presets.accountId, accountId), eq(presets.name, name)))
      .orderBy(asc(presets.version));
  }
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
