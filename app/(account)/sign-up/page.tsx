import type { Metadata } from 'next';
import Link from 'next/link';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { hasNoServiceOwner } from '../../../server/identity/auth/index.ts';
import { findMailTransport } from '../../../server/io/mail.ts';
import { getWebContext } from '../../../server/ops/web-context.ts';
import styles from '../../account/account.module.css';
import { SignUpForm } from '../../account/auth-forms.tsx';
import { nextPage, pathWithNext } from '../../account/next-page.ts';
import { NoMailNotice } from '../../account/no-mail-notice.tsx';

export const metadata: Metadata = {
  title: 'Sign up',
  description: 'An account has a wallet, API keys and the jobs that our server runs for you.',
};

interface SignUpProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignUpPage({ searchParams }: SignUpProps) {
  const { next } = await searchParams;
  const ctx = await getWebContext();
  const isServiceOwner = await hasNoServiceOwner(ctx);
  const mail = findMailTransport(ctx.env);
  const { freeCredit } = ctx.env.TERMS;
  return (
    <div className={styles.page}>
      <header>
        <h1>Sign up</h1>
        <p>
          Only our server and the API need an account.
          {freeCredit > 0n && ` A new account starts with $${formatUsd(freeCredit)}.`}
        </p>
      </header>
      {isServiceOwner && (
        <p className={styles.notice}>The first account becomes the owner’s, and works at once.</p>
      )}
      {mail === 'none' && !isServiceOwner ? (
        <NoMailNotice action="open an account for you" />
      ) : (
        <SignUpForm isServiceOwner={isServiceOwner} isMailLogged={mail === 'log'} next={nextPage(next)} />
      )}
      <p>
        Already have an account? <Link href={pathWithNext('/sign-in', nextPage(next))}>Sign in</Link>.
      </p>
    </div>
  );
}
