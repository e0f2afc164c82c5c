import { eq } from 'drizzle-orm';
import { formatUsd } from '../../models/money.ts';
import { listDeeds } from '../audit/index.ts';
import type { Context } from '../context.ts';
import { schema } from '../db.ts';
import { listJobs } from '../jobs/index.ts';
import { listKeys } from '../keys/index.ts';
import { listPayments } from '../stripe/index.ts';
import { balance, listEntries } from '../wallet/index.ts';

const PAGE = 500;

/** Yields all that we keep about an account as pieces of one JSON file: people, money, keys and jobs, without secrets. */
export async function* exportAccount({ db }: Context, accountId: string): AsyncGenerator<string> {
  const { users, passkeys, accounts } = schema;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const people = await db.select().from(users).where(eq(users.accountId, accountId));
  const ownPasskeys = await db
    .select({ name: passkeys.name, createdAt: passkeys.createdAt })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(users.accountId, accountId));
  const money = await balance(db, accountId);
  const head = {
    account,
    users: people,
    passkeys: ownPasskeys,
    balance_usd: formatUsd(money.balance),
    held_usd: formatUsd(money.held),
    payments: (await listPayments(db, accountId)).map(({ id, state, due, createdAt, receiptUrl }) => ({
      ...{ id, state, createdAt, receipt_url: receiptUrl, credited_usd: formatUsd(due) },
    })),
    keys: (await listKeys(db, accountId)).map((key) => ({
      ...key,
      monthlyCap: key.monthlyCap === null ? null : formatUsd(key.monthlyCap),
      spent: formatUsd(key.spent),
    })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"ledger":[`;
  yield* joined(ledgerOf({ db }, accountId));
  yield '],"activity":[';
  yield* joined(deedsOf({ db }, accountId));
  yield '],"jobs":[';
  yield* joined(jobsOf({ db }, accountId));
  yield ']}';
}

async function* ledgerOf({ db }: Pick<Context, 'db'>, accountId: string): AsyncGenerator<object> {
  for (let after: Awaited<ReturnType<typeof listEntries>>['next'] | undefined; after !== null; ) {
    const page = await listEntries(db, { accountId, after, limit: PAGE });
    for (const { id, amount, balanceAfter: left, ...entry } of page.entries) {
      yield { id: String(id), ...entry, amount_usd: formatUsd(amount), balance_usd: left && formatUsd(left) };
    }
    after = page.next;
  }
}

async function* deedsOf({ db }: Pick<Context, 'db'>, accountId: string): AsyncGenerator<object> {
  for (let after: bigint | null | undefined; after !== null; ) {
    const page: Awaited<ReturnType<typeof listDeeds>> = await listDeeds(db, {
      accountId,
      after,
      limit: PAGE,
    });
    for (const { id, ...deed } of page.deeds) yield { id: String(id), ...deed };
    after = page.next;
  }
}

async function* jobsOf({ db }: Pick<Context, 'db'>, accountId: string): AsyncGenerator<object> {
  for (let after: Awaited<ReturnType<typeof listJobs>>['next'] | undefined; after !== null; ) {
    const page = await listJobs(db, { accountId, after, limit: PAGE });
    for (const { held, charged, cacheKey: _key, traceparent: _place, ...job } of page.jobs) {
      yield { ...job, held_usd: formatUsd(held), charged_usd: formatUsd(charged) };
    }
    after = page.next;
  }
}

async function* joined(items: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
}
