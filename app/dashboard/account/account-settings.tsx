'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  AuthForm,
  NEW_PASSWORD_FIELD,
  PASSWORD_FIELD,
  REVOKE_KEYS_CHOICE,
} from '../../account/auth-forms.tsx';
import { AuthProblem, callAuth } from '../../account/call-auth.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { formatCount } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { describeProblem } from '../parts/format.ts';
import { usePermitted } from '../parts/permissions.tsx';
import { LEAVES_PAGE, useTrpc } from '../parts/trpc-client.tsx';

const LABELS = { email: 'Your e-mail address, to confirm', password: 'Your password' } as const;

const SENT = 'A link was sent to the new address. It changes once you open that link.';

const LOGGED = 'A link is in the log of this local install. The address changes once you open it.';

/** Name, address and password of who is signed in. */
export function AccountSettings() {
  const calls = useTrpc();
  const { data: me } = useQuery(calls.account.me.queryOptions());
  if (!me) return <p role="status">Loading…</p>;
  return (
    <>
      <div className={styles.head}>
        <p>
          Signed in as <b>{me.name}</b>, {me.email}
        </p>
        <SignOutButton next="/" />
      </div>
      <div>
        <NameSettings name={me.name} />
        <EmailSettings isMailLogged={me.isMailLogged} />
        <PasswordSettings />
      </div>
    </>
  );
}

function NameSettings({ name: present }: { readonly name: string }) {
  const queries = useQueryClient();
  return (
    <details className={styles.fold}>
      <summary>Change name</summary>
      <AuthForm
        isPrimary={false}
        fields={[
          { name: 'name', label: 'Your name', autoComplete: 'name', maxLength: 100, defaultValue: present },
        ]}
        action="Save name"
        onSend={async ({ name }) => {
          await callAuth('/update-user', { name });
          await queries.invalidateQueries();
          return 'Saved.';
        }}
      />
    </details>
  );
}

function EmailSettings({ isMailLogged }: { readonly isMailLogged: boolean }) {
  return (
    <details className={styles.fold}>
      <summary>Change e-mail address</summary>
      <AuthForm
        isPrimary={false}
        fields={[
          { name: 'newEmail', label: 'New address', type: 'email', autoComplete: 'email' },
          { ...PASSWORD_FIELD, label: LABELS.password },
        ]}
        action="Send link"
        onSend={async ({ newEmail, password }) => {
          await callAuth('/change-email', { newEmail, password, callbackURL: '/dashboard/account' });
          return isMailLogged ? LOGGED : SENT;
        }}
      />
    </details>
  );
}

function PasswordSettings() {
  const queries = useQueryClient();
  const canRevokeKeys = usePermitted('keys.change');
  return (
    <details className={styles.fold}>
      <summary>Change password</summary>
      <AuthForm
        isPrimary={false}
        fields={[
          { ...PASSWORD_FIELD, name: 'currentPassword', label: 'Current password' },
          {
            ...NEW_PASSWORD_FIELD,
            name: 'newPassword',
            label: 'New password',
            hint: 'At least 10 characters. Signs out other browsers.',
          },
        ]}
        choices={canRevokeKeys ? [REVOKE_KEYS_CHOICE] : []}
        action="Change password"
        onSend={async ({ currentPassword, newPassword, revokeKeys }) => {
          const change = { currentPassword, newPassword, revokeKeys: revokeKeys === 'on' };
          await callAuth('/change-password', change);
          await queries.invalidateQueries();
          return 'Changed.';
        }}
      />
    </details>
  );
}

/** Download of all data of the account, and its deletion for ever. */
export function DeleteAccount() {
  const calls = useTrpc();
  const { data: wallet } = useQuery(calls.wallet.summary.queryOptions());
  const { data: team } = useQuery(calls.team.list.queryOptions());
  const remove = useMutation(calls.account.delete.mutationOptions({ meta: LEAVES_PAGE }));
  const canDelete = usePermitted('account.change');
  if (!canDelete) {
    return <p className={styles.muted}>An owner can export or delete this account.</p>;
  }
  const others = (team?.members.length ?? 1) - 1;
  return (
    <>
      <section aria-labelledby="data">
        <h2 id="data">Your data</h2>
        <div>
          <a href="/api/own/account.json" className="button" download>
            Download as JSON
          </a>
        </div>
      </section>
      <details className={styles.fold}>
        <summary>Delete the account</summary>
        <p className={styles.muted}>
          Everything is deleted for ever, and the balance of {wallet ? `$${wallet.balanceUsd}` : 'the wallet'}{' '}
          is lost. Amounts in our books stay, without your name.
          {others > 0 && ` Its team, ${formatCount(others, 'other member')}, loses it as well.`}
        </p>
        <AuthForm
          isPrimary={false}
          fields={[
            { name: 'email', label: LABELS.email, type: 'email', autoComplete: 'off' },
            { ...PASSWORD_FIELD, label: LABELS.password },
          ]}
          action="Delete account"
          onSend={async ({ email = '', password = '' }) => {
            await remove.mutateAsync({ email, password }).catch((thrown: Error) => {
              throw new AuthProblem(describeProblem(thrown, LABELS));
            });
            location.assign('/');
            return undefined;
          }}
        />
      </details>
    </>
  );
}
