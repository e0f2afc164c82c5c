import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { formatUsd } from '../../../../models/core/operation/money.ts';
import { findAccountName } from '../../../../server/identity/team/index.ts';
import { findReceipt } from '../../../../server/money/spending/index.ts';
import { formatUtc } from '../../../ui/dates.ts';
import styles from '../../parts/dashboard.module.css';
import { Fact } from '../../parts/fact.tsx';
import { openPage } from '../../parts/find-own-account.ts';
import { ENTRY_KINDS } from '../../parts/format.ts';
import { PrintButton } from '../../parts/print-button.tsx';
import printedStyles from '../../parts/printed-page.module.css';

export const metadata: Metadata = { title: 'Receipt', robots: 'noindex' };

interface ReceiptPageProps {
  readonly params: Promise<{ readonly entry: string }>;
}

/** Receipt of money that the wallet received, to print. */
export default async function ReceiptPage({ params }: ReceiptPageProps) {
  const { entry } = await params;
  const { ctx, visitor } = await openPage('/dashboard/receipts');
  const receipt = await findReceipt(ctx.db, visitor.accountId, entry).catch(() => notFound());
  return (
    <article className={printedStyles.print}>
      <div className={styles.head}>
        <h1>Receipt {receipt.entryId}</h1>
        <PrintButton />
      </div>
      <dl>
        <Fact name="What">{ENTRY_KINDS[receipt.kind]} of the prepaid wallet</Fact>
        <Fact name="Amount">{formatUsd(receipt.amount)} USD</Fact>
        <Fact name="Time">{formatUtc(receipt.at)}</Fact>
        <Fact name="Payment" className="facts">
          {receipt.reference}
        </Fact>
        <Fact name="Account">{await findAccountName(ctx.db, visitor.accountId)}</Fact>
        <Fact name="Service">{ctx.env.PUBLIC_URL}</Fact>
      </dl>
      <p className="note">
        A payment by card or bank has the payment provider’s own receipt, too: see{' '}
        <Link href="/dashboard/top-up">payments</Link>.
      </p>
    </article>
  );
}
