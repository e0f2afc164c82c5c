'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { CallOutputs, Role } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { LEAVES_PAGE, useTrpc } from '../parts/trpc-client.tsx';
import { MemberRow, RoleChoice } from './member-row.tsx';

/** Labels of the form, by the field of the call. */
const LABELS = { email: 'E-mail address', role: 'Role' } as const;

type Invitation = CallOutputs['team']['list']['invitations'][number];

interface TeamProps {
  readonly visitorId: string;
  /** Way of mails: without one no person can be invited. */
  readonly mail: 'smtp' | 'log' | 'none';
}

/** Members and invitations of the account. An owner changes them; anybody may leave. */
export function Team({ visitorId, mail }: TeamProps) {
  const calls = useTrpc();
  const canChange = usePermitted('members.change');
  const { data, error } = useQuery(calls.team.list.queryOptions());
  return (
    <>
      <section aria-labelledby="members">
        <h2 id="members">Members</h2>
        {error && <p role="alert">{error.message}</p>}
        {!data && !error && <p role="status">Loading…</p>}
        {data && (
          <ul className={styles.list}>
            {data.members.map((member) => (
              <MemberRow key={member.userId} member={member} isVisitor={member.userId === visitorId} />
            ))}
          </ul>
        )}
        {data && data.members.length > 1 && <Leave />}
      </section>
      {canChange && <InviteForm mail={mail} />}
      {data && data.invitations.length > 0 && <Invitations invitations={data.invitations} />}
    </>
  );
}

/** Leaves the account on the second press. */
function Leave() {
  const calls = useTrpc();
  const [isSure, setIsSure] = useState(false);
  const leave = useMutation(
    calls.team.leave.mutationOptions({
      meta: LEAVES_PAGE,
      onSuccess: () => location.assign('/dashboard'),
    }),
  );
  return (
    <div className={styles.actions}>
      <button
        type="button"
        className="button"
        disabled={leave.isPending || leave.isSuccess}
        onClick={() => (isSure ? leave.mutate() : setIsSure(true))}
      >
        {isSure ? 'Leave now: you lose access at once' : 'Leave this account'}
      </button>
      {isSure && (
        <button type="button" className="button button-quiet" onClick={() => setIsSure(false)}>
          Stay
        </button>
      )}
      <Problem error={leave.error} />
    </div>
  );
}

/** Invitations that wait to be accepted, or that have expired. */
function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const canChange = usePermitted('members.change');
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <ul className={styles.list}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <div className={styles.line}>
              <p>
                <b>{invitation.email}</b> <span className="note">{ROLE_TEXTS[invitation.role].name}</span>
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
  const resend = useMutation(calls.team.resend.mutationOptions());
  const revoke = useMutation(calls.team.revoke.mutationOptions());
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
      <Problem error={resend.error ?? revoke.error} />
    </div>
  );
}

/** Invites a person by a link, which arrives by mail. */
function InviteForm({ mail }: { readonly mail: 'smtp' | 'log' | 'none' }) {
  const calls = useTrpc();
  const id = useId();
  const [role, setRole] = useState<Role>('developer');
  const invite = useMutation(calls.team.invite.mutationOptions());
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email') ?? '');
    invite.mutate({ email, role }, { onSuccess: () => form.reset() });
  };
  return (
    <section aria-labelledby="invite">
      <h2 id="invite">Invite a member</h2>
      {mail === 'none' ? (
        <p>This service sends no mail, so it can’t send invitations. Its operator can set up mail.</p>
      ) : (
        <form className={formStyles.form} onSubmit={send}>
          <label className={formStyles.field}>
            <span>{LABELS.email}</span>
            <input
              className={formStyles.input}
              name="email"
              type="email"
              required
              maxLength={254}
              autoComplete="off"
              placeholder="colleague@example.com"
            />
          </label>
          <div className={formStyles.field}>
            <span>
              <label htmlFor={id}>{LABELS.role}</label>
            </span>
            <RoleChoice id={id} value={role} onChoose={setRole} />
            <small className="note">{ROLE_TEXTS[role].rights}</small>
          </div>
          <Problem error={invite.error} labels={LABELS} />
          <div className={styles.actions}>
            <button type="submit" className="button button-primary" disabled={invite.isPending}>
              {invite.isPending ? 'Sending…' : 'Send invitation'}
            </button>
            <span role="status">{invite.isSuccess && describeSent(mail)}</span>
          </div>
        </form>
      )}
    </section>
  );
}

function describeSent(mail: 'smtp' | 'log'): string {
  if (mail === 'log') return 'The link is in the log of this local install. It works for 7 days.';
  return 'A link is on its way. It works for 7 days.';
}
