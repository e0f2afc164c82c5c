import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { ROLE_NAMES } from '../../../server/base/permissions.ts';
import { findVisitor } from '../../../server/identity/auth/index.ts';
import {
  findAccountName,
  findInvitation,
  invalidInvitation,
  invitationPath,
} from '../../../server/identity/team/index.ts';
import { getWebContext } from '../../../server/ops/web-context.ts';
import { AcceptInvitation } from '../../account/accept-invitation.tsx';
import styles from '../../account/account.module.css';
import { InvitedSignUpForm } from '../../account/auth-forms.tsx';
import { pathWithNext } from '../../account/next-page.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';

export const metadata: Metadata = { title: 'Invitation', robots: 'noindex' };

interface InvitationProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Page of an invitation's link: joins with an account that exists, or with a new one. */
export default async function InvitationPage({ searchParams }: InvitationProps) {
  const { token } = await searchParams;
  const ctx = await getWebContext();
  const invitation = typeof token === 'string' ? await findInvitation(ctx.db, token) : undefined;
  if (!invitation || typeof token !== 'string') return <DeadLink />;
  const { accountId, email, role } = invitation;
  const visitor = await findVisitor(ctx, await headers());
  const signIn = pathWithNext('/sign-in', invitationPath(token));
  if (visitor && visitor.email !== email) return <OtherPerson email={visitor.email} signIn={signIn} />;
  return (
    <div className={styles.page}>
      <header>
        <h1>Invitation</h1>
        <p>
          You are invited to the account <b>{await findAccountName(ctx.db, accountId)}</b>. Your role would be{' '}
          <b>{ROLE_NAMES[role]}</b>.
        </p>
      </header>
      {visitor ? (
        <AcceptInvitation token={token} />
      ) : (
        <>
          <p className={styles.notice}>You sign up as {email}: no other mail is sent.</p>
          <InvitedSignUpForm token={token} />
          <p>
            Already have an account? <Link href={signIn}>Sign in to accept</Link>.
          </p>
        </>
      )}
    </div>
  );
}

function DeadLink() {
  return (
    <div className={styles.page}>
      <h1>Invitation</h1>
      <p className={styles.notice}>{invalidInvitation().message}</p>
      <p>
        Have you accepted it before? <Link href="/dashboard">Go to your accounts</Link>.
      </p>
    </div>
  );
}

function OtherPerson({ email, signIn }: { readonly email: string; readonly signIn: string }) {
  return (
    <div className={styles.page}>
      <h1>Invitation</h1>
      <p className={styles.notice}>
        You are signed in as {email}, and this invitation is for another address. Sign in with the address
        that received it.
      </p>
      <div className={styles.actions}>
        <SignOutButton next={signIn} />
      </div>
    </div>
  );
}
