import type { Metadata } from 'next';
import Link from 'next/link';
import { formatUsd } from '../../../models/money.ts';
import { awaitsOwner } from '../../../server/auth/index.ts';
import { webContext } from '../../../server/http/web-context.ts';
import styles from '../../account/account.module.css';
import { nextPage } from '../../account/next-page.ts';
import { SignUpForm } from '../../account/sign-up-form.tsx';

export const metadata: Metadata = {
  title: 'Sign up',
  description: 'An account has a wallet, API keys and the jobs that our server runs for you.',
};

interface SignUpProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignUpPage({ searchParams }: SignUpProps) {
  const { next } = await searchParams;
  const ctx = await webContext();
  const isOwner = await awaitsOwner(ctx);
  const { freeCredit } = ctx.env.TERMS;
  return (
    <div className={styles.page}>
      <header>
        <h1>Sign up</h1>
        <p>
          Tools run on your device without an account. With one, our server runs what your device can’t, and
          your programs use the API. You pay per run, from a wallet.
          {freeCredit > 0n && ` A new account starts with $${formatUsd(freeCredit)}.`}
        </p>
      </header>
      {isOwner && (
        <p className={styles.notice}>
          Nobody has signed up here yet. Your account becomes the owner’s and works at once: no e-mail is
          sent.
        </p>
      )}
      <SignUpForm isOwner={isOwner} next={nextPage(next)} />
      <p>
        Already have an account? <Link href="/sign-in">Sign in</Link>.
      </p>
    </div>
  );
}
