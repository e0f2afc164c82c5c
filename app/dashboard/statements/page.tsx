import type { Metadata } from 'next';
import Link from 'next/link';
import { listStatementMonths } from '../../../server/money/spending/index.ts';
import { formatMonth } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { openPage } from '../parts/find-own-account.ts';

export const metadata: Metadata = { title: 'Statements', robots: 'noindex' };

/** Months of the wallet, each with its statement. */
export default async function StatementsPage() {
  const { ctx, visitor } = await openPage('/dashboard/statements');
  const months = await listStatementMonths(ctx.db, visitor.accountId);
  return (
    <>
      <h1>Statements</h1>
      <ul className={styles.list}>
        {months.map((month) => (
          <li key={month}>
            <Link href={`/dashboard/statements/${month}`}>{formatMonth(month)}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
