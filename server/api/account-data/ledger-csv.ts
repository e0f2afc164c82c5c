import type { JobLabels } from '../../../models/core/operation/job-labels.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context/context.ts';
import { findLabels } from '../../jobs/index.ts';
import { type EntryQuery, listEntries } from '../../money/wallet/index.ts';

const PAGE = 500;

type Filter = Pick<EntryQuery, 'direction' | 'category'>;

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
      .map((cells) => `${cells.map(cell).join(',')}\r\n`)
      .join('');
    after = next;
  }
}

/** Returns the cells of a job's labels: its metadata is JSON. */
function labelCells({ reference, metadata = {} }: Partial<JobLabels> = {}): string[] {
  return [reference ?? '', Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : ''];
}

/** Quotes a cell where needed. A leading sign other than a number's would be a formula to spreadsheets. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d+\.\d+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
