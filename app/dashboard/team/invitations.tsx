'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import styles from '../parts/dashboard.module.css';
import { describeProblem, formatMoment } from '../parts/format.ts';
import { usePermitted } from '../parts/permissions.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

type Invitation = CallOutputs['team']['list']['invitations'][number];

/** Invitations that wait to be accepted, or that have expired. */
export function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const canChange = usePermitted('members.change');
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <ul className={styles.list}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <div className={styles.line}>
              <p>
                <b>{invitation.email}</b>{' '}
                <span className={styles.small}>{ROLE_TEXTS[invitation.role].name}</span>
              </p>
              <span className={styles.state} data-tone={invitation.isExpired ? 'warn' : 'good'}>
                {invitation.isExpired ? 'expired' : `until ${formatMoment(invitation.expiresAt)}`}
              </span>
            </div>
            {canChange && <InvitationActions id={invitation.id} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Sends an invitation again with a new link, or revokes it. */
function InvitationActions({ id }: { readonly id: string }) {
  const calls = useTrpc();
  const queries = useQueryClient();
  const onSettled = () => void queries.invalidateQueries();
  const resend = useMutation(calls.team.resend.mutationOptions({ onSettled }));
  const revoke = useMutation(calls.team.revoke.mutationOptions({ onSettled }));
  return (
    <div className={styles.actions}>
      <button
        type="button"
        className="button"
        disabled={resend.isPending}
        onClick={() => resend.mutate({ id })}
      >
        Send again
      </button>
      <button
        type="button"
        className="button"
        disabled={revoke.isPending}
        onClick={() => revoke.mutate({ id })}
      >
        Revoke invitation
      </button>
      <span role="status">{resend.isSuccess && 'Sent, with a new link.'}</span>
      <span role="alert" className={styles.problem}>
        {describeProblem(resend.error ?? revoke.error)}
      </span>
    </div>
  );
}
