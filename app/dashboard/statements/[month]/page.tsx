import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { formatUsd } from '../../../../models/core/operation/money.ts';
import { findAccountName } from '../../../../server/identity/team/index.ts';
import {
  readStatement,
  type Statement,
  type StatementLine,
} from '../../../../server/money/spending/index.ts';
import { formatMonth, formatUtc } from '../../../ui/dates.ts';
import styles from '../../parts/dashboard.module.css';
import { Fact } from '../../parts/fact.tsx';
import { openPage } from '../../parts/find-own-account.ts';
import { ENTRY_KINDS, modelName } from '../../parts/format.ts';
import { PrintButton } from '../../parts/print-button.tsx';
import printedStyles from '../../parts/printed-page.module.css';
import tableStyles from '../../parts/table.module.css';

export const metadata: Metadata = { title: 'Statement', robots: 'noindex' };

interface StatementPageProps {
  readonly params: Promise<{ readonly month: string }>;
}

/** A month of the wallet, to print: its balances, each movement of money, and the charges of each operation. */
export default async function StatementPage({ params }: StatementPageProps) {
  const { month } = await params;
  const { ctx, visitor } = await openPage('/dashboard/statements');
  const statement = await readStatement(ctx.db, visitor.accountId, month).catch(() => notFound());
  return (
    <article className={printedStyles.print}>
      <div className={styles.head}>
        <h1>Statement, {formatMonth(month)}</h1>
        <PrintButton />
      </div>
      <dl>
        <Fact name="Account">{await findAccountName(ctx.db, visitor.accountId)}</Fact>
        <Fact name="Service">{ctx.env.PUBLIC_URL}</Fact>
      </dl>
      <Lines statement={statement} />
    </article>
  );
}

function Lines({ statement: { opening, closing, lines } }: { readonly statement: Statement }) {
  return (
    <table className={tableStyles.table}>
      <caption className="sr-only">Movements of the month</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className={tableStyles.number}>
            Number
          </th>
          <th scope="col" className={tableStyles.number}>
            USD
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>Balance at the start</td>
          <td />
          <td className={tableStyles.number}>{formatUsd(opening)}</td>
        </tr>
        {lines.map((line) => (
          <LineRow key={line.entryId ?? line.category ?? line.kind} line={line} />
        ))}
        <tr>
          <td>
            <b>Balance at the end</b>
          </td>
          <td />
          <td className={tableStyles.number}>
            <b>{formatUsd(closing)}</b>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function LineRow({
  line: { kind, category, entryId, reference, count, amount, at },
}: {
  readonly line: StatementLine;
}) {
  return (
    <tr>
      <td>
        {kind === 'capture' && category !== null ? modelName(category) : ENTRY_KINDS[kind]}
        {entryId !== null && (
          <span className="note">
            {' '}
            {formatUtc(at)} · {reference}
            {amount > 0n && (
              <>
                {' '}
                · <Link href={`/dashboard/receipts/${entryId}`}>Receipt</Link>
              </>
            )}
          </span>
        )}
      </td>
      <td className={tableStyles.number}>{entryId === null ? count : ''}</td>
      <td className={tableStyles.number}>{formatUsd(amount)}</td>
    </tr>
  );
}
