'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { AuthForm } from '../../account/auth-form.tsx';
import { AuthProblem } from '../../account/call-auth.ts';
import { formatCount } from '../../text/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { describeProblem } from '../parts/format.ts';
import { usePermitted } from '../parts/permissions.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

const LABELS = { email: 'Your e-mail address, to confirm', password: 'Your password' } as const;

/** Download of all data of the account, and its deletion for ever. */
export function DeleteAccount() {
  const calls = useTrpc();
  const { data: wallet } = useQuery(calls.wallet.summary.queryOptions());
  const { data: team } = useQuery(calls.team.list.queryOptions());
  const remove = useMutation(calls.account.delete.mutationOptions());
  const canDelete = usePermitted('account.change');
  if (!canDelete) {
    return (
      <p className={styles.muted}>
        An owner can export or delete this account. To export or delete what is yours, switch to your own
        account first.
      </p>
    );
  }
  const others = (team?.members.length ?? 1) - 1;
  return (
    <>
      <section aria-labelledby="data">
        <h2 id="data">Your data</h2>
        <p className={styles.muted}>
          Everything that we store about this account, as one JSON file, without secrets.
        </p>
        <div>
          <a href="/api/own/account.json" className="button" download>
            Download my data
          </a>
        </div>
      </section>
      <section aria-labelledby="delete">
        <h2 id="delete">Delete the account</h2>
        <p className={styles.muted}>
          Keys, webhooks, results and what we know about you are deleted for ever. The remaining balance of{' '}
          {wallet ? `$${wallet.balanceUsd}` : 'the wallet'} is lost, and what refunds or disputes still owe is
          not charged any more. Amounts in our books stay, without your name.
          {others > 0 && ` Its team, ${formatCount(others, 'other member')}, loses it as well.`}
        </p>
        <AuthForm
          isPrimary={false}
          fields={[
            { name: 'email', label: LABELS.email, type: 'email', autoComplete: 'off' },
            { name: 'password', label: LABELS.password, type: 'password', autoComplete: 'current-password' },
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
      </section>
    </>
  );
}
