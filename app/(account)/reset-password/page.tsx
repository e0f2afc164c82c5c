import type { Metadata } from 'next';
import Link from 'next/link';
import styles from '../../account/account.module.css';
import { ResetForm } from '../../account/reset-form.tsx';

export const metadata: Metadata = { title: 'Set a new password', robots: 'noindex' };

interface ResetProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ResetPasswordPage({ searchParams }: ResetProps) {
  const { token } = await searchParams;
  return (
    <div className={styles.page}>
      <h1>Set a new password</h1>
      <ResetForm token={typeof token === 'string' ? token : undefined} />
      <p>
        <Link href="/sign-in">Back to sign in</Link>
      </p>
    </div>
  );
}
