import type { Metadata } from 'next';
import Link from 'next/link';
import styles from '../../account/account.module.css';
import { SignInForm } from '../../account/auth-forms.tsx';
import { nextPage, pathWithNext } from '../../account/next-page.ts';

export const metadata: Metadata = { title: 'Sign in', description: 'Sign in to your wallet, jobs and keys.' };

interface SignInProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignInPage({ searchParams }: SignInProps) {
  const { next, verified, moved, changed, ended, error } = await searchParams;
  return (
    <div className={styles.page}>
      <h1>Sign in</h1>
      {verified && !error && <p className={styles.notice}>Your address is verified. Sign in to continue.</p>}
      {verified && error && (
        <p className={styles.notice}>
          This link has been used or is too old. Sign up again to get a new one.
        </p>
      )}
      {moved && !error && (
        <p className={styles.notice}>The address of your account is changed. Sign in with the new one.</p>
      )}
      {moved && error && (
        <p className={styles.notice}>
          This link has been used or is too old. Ask for a new one in the settings of your account.
        </p>
      )}
      {changed && <p className={styles.notice}>Your password is changed. Sign in with the new one.</p>}
      {ended && (
        <p className={styles.notice}>
          Your session has ended. If an owner has removed you from an account, signing in shows the accounts
          that you still belong to.
        </p>
      )}
      <SignInForm next={nextPage(next)} />
      <p>
        No account? <Link href={pathWithNext('/sign-up', nextPage(next))}>Sign up</Link>
        <br />
        <Link href="/reset-password">Forgot your password?</Link>
      </p>
    </div>
  );
}
