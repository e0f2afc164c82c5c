import { formatUsd } from '../../models/money.ts';
import type { Context } from '../context.ts';
import { listEntries } from '../wallet/index.ts';

const PAGE = 500;

/** Yields the whole ledger of an account as CSV (RFC 4180), newest first. */
export async function* ledgerCsv({ db }: Context, accountId: string): AsyncGenerator<string> {
  yield 'time,kind,reference,amount_usd,balance_usd\r\n';
  for (let after: Awaited<ReturnType<typeof listEntries>>['next'] | undefined; after !== null; ) {
    const { entries, next } = await listEntries(db, { accountId, after, limit: PAGE });
    yield entries
      .map(({ createdAt, kind, reference, amount, balanceAfter }) =>
        [createdAt.toISOString(), kind, reference, formatUsd(amount), formatUsd(balanceAfter ?? 0n)]
          .map(cell)
          .join(','),
      )
      .map((line) => `${line}\r\n`)
      .join('');
    after = next;
  }
}

/** Quotes a cell where needed. A leading sign other than a number's would be a formula to spreadsheets. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d+\.\d+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
