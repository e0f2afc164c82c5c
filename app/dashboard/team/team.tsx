'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import styles from '../parts/dashboard.module.css';
import { describeProblem } from '../parts/format.ts';
import { usePermitted } from '../parts/permissions.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberRow } from './member-row.tsx';

interface TeamProps {
  readonly visitorId: string;
  /** Way of mails: without one nobody can be invited. */
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
    calls.team.leave.mutationOptions({ onSuccess: () => location.assign('/dashboard') }),
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
      <span role="alert" className={styles.problem}>
        {describeProblem(leave.error)}
      </span>
    </div>
  );
}
