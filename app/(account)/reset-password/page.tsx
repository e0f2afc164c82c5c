import type { Metadata } from 'next';
import Link from 'next/link';
import { findMailTransport } from '../../../server/io/mail.ts';
import { getWebContext } from '../../../server/ops/web-context.ts';
import styles from '../../account/account.module.css';
import { ResetForm } from '../../account/auth-forms.tsx';
import { NoMailNotice } from '../../account/no-mail-notice.tsx';

export const metadata: Metadata = { title: 'Set a new password', robots: 'noindex' };

interface ResetProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ResetPasswordPage({ searchParams }: ResetProps) {
  const { token } = await searchParams;
  const mail = findMailTransport((await getWebContext()).env);
  return (
    <div className={styles.page}>
      <h1>Set a new password</h1>
      {mail === 'none' && token === undefined ? (
        <NoMailNotice action="set a new password for you" />
      ) : (
        <ResetForm token={typeof token === 'string' ? token : undefined} isMailLogged={mail === 'log'} />
      )}
      <p>
        <Link href="/sign-in">Back to sign in</Link>
      </p>
    </div>
  );
}
