'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import type { CallInputs, CallOutputs } from '../../../server/api/trpc/router.ts';
import { TOOL_LIST } from '../../studio/tools/tools.ts';
import { formatMoment } from '../../ui/dates.ts';
import { formatCount } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { ENTRY_KINDS, modelName } from '../parts/format.ts';
import { LoadMore, Select } from '../parts/list-controls.tsx';
import { usePermitted } from '../parts/permissions.tsx';
import sumsStyles from '../parts/sums.module.css';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';

type OperationFilter = NonNullable<CallInputs['wallet']['ledger']['operation']> | 'any';

type Entry = CallOutputs['wallet']['ledger']['entries'][number];

const FILTERS = { all: 'All kinds', credits: 'Money in', charges: 'Charges' } as const;

type Filter = keyof typeof FILTERS;

const OPERATIONS = Object.fromEntries([
  ['any', 'All operations'],
  ...TOOL_LIST.map(({ operationId, name }) => [operationId, name]),
]) as Readonly<Record<OperationFilter, string>>;

/** Every movement of the wallet, newest first. */
export function Ledger() {
  const calls = useTrpc();
  const [filter, setFilter] = useState<Filter>('all');
  const [operation, setOperation] = useState<OperationFilter>('any');
  const input = {
    ...(filter !== 'all' && { only: filter }),
    ...(operation !== 'any' && { operation }),
  };
  const list = useInfiniteQuery(
    calls.wallet.ledger.infiniteQueryOptions(input, { getNextPageParam: ({ next }) => next }),
  );
  const isFiltered = Object.keys(input).length > 0;
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <section aria-labelledby="ledger">
      <div className={styles.head}>
        <h2 id="ledger">Ledger</h2>
        <div className={styles.actions}>
          <Select label="Kind of entries" value={filter} choices={FILTERS} onChoose={setFilter} />
          <Select label="Operation" value={operation} choices={OPERATIONS} onChoose={setOperation} />
          <a href={`/api/own/ledger.csv?${new URLSearchParams(input)}`} className="button" download>
            Download CSV
          </a>
        </div>
      </div>
      {entries.length > 0 && <Entries entries={entries} />}
      <LoadMore
        list={list}
        isEmpty={entries.length === 0}
        empty={isFiltered ? 'No such entries.' : 'No entries yet.'}
      />
    </section>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <table className={tableStyles.table} aria-labelledby="ledger">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className={tableStyles.wide}>
            Payment
          </th>
          <th scope="col" className={tableStyles.number}>
            USD
          </th>
          <th scope="col">Time</th>
          <th scope="col" className={tableStyles.number}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const { id, kind, reference, amountUsd, balanceUsd, createdAt } = entry;
  return (
    <tr>
      <td>
        <What kind={kind} reference={reference} />
      </td>
      <td className={tableStyles.wide}>
        {kind !== 'capture' && <span className="facts">{reference}</span>}{' '}
        {kind === 'top_up' && <Link href={`/dashboard/receipts/${id}`}>Receipt</Link>}
      </td>
      <td className={tableStyles.number}>
        {amountUsd.startsWith('-') ? `−${amountUsd.slice(1)}` : `+${amountUsd}`}
      </td>
      <td className="note">{formatMoment(createdAt)}</td>
      <td className={tableStyles.number}>{balanceUsd ?? ''}</td>
    </tr>
  );
}

function What({ kind, reference }: { readonly kind: Entry['kind']; readonly reference: string }) {
  const canSeeJobs = usePermitted('jobs.see');
  if (kind !== 'capture') {
    // A payment's credit is only ever lessened by what its payer or bank takes back.
    const name =
      kind === 'adjustment' && reference.startsWith('pi_') ? 'Refund or dispute' : ENTRY_KINDS[kind];
    return (
      <>
        {name} <span className={tableStyles.narrow}>{reference}</span>
      </>
    );
  }
  const modelId = reference.replace(/_[^_]*$/, '');
  if (!canSeeJobs) return modelName(modelId);
  return <Link href={`/dashboard/jobs?job=${encodeURIComponent(reference)}`}>{modelName(modelId)}</Link>;
}

/** Shows the available amount, and of what it is left while running jobs hold some. */
export function WalletSummary() {
  const calls = useTrpc();
  const canTopUp = usePermitted('money.change');
  const canSeePayments = usePermitted('money.see');
  const { data, error } = useQuery(calls.wallet.summary.queryOptions());
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <div className={sumsStyles.money}>
      <dl className={sumsStyles.sum} aria-busy={!data}>
        <div>
          <dt>Available</dt>
          <dd className={sumsStyles.largest}>{data ? `$${data.availableUsd}` : '…'}</dd>
        </div>
        {data && data.holds > 0 && (
          <>
            <div>
              <dt>Balance</dt>
              <dd>${data.balanceUsd}</dd>
            </div>
            <div>
              <dt>Held for {formatCount(data.holds, 'job')}</dt>
              <dd>${data.heldUsd}</dd>
            </div>
          </>
        )}
      </dl>
      {canSeePayments && (
        <Link href="/dashboard/top-up" className={canTopUp ? 'button button-primary' : 'button'}>
          {canTopUp ? 'Top up' : 'Payments'}
        </Link>
      )}
    </div>
  );
}
