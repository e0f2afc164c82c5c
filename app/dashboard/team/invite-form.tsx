'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Role } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { describeProblem } from '../parts/format.ts';
import { useTrpc } from '../parts/trpc-client.tsx';
import { RoleChoice } from './role-choice.tsx';

/** Labels of the form, by the field of the call. */
const LABELS = { email: 'E-mail address', role: 'Role' } as const;

/** Invites somebody by a link, which arrives by mail. */
export function InviteForm({ mail }: { readonly mail: 'smtp' | 'log' | 'none' }) {
  const calls = useTrpc();
  const queries = useQueryClient();
  const id = useId();
  const [role, setRole] = useState<Role>('developer');
  const invite = useMutation(
    calls.team.invite.mutationOptions({ onSuccess: () => void queries.invalidateQueries() }),
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email') ?? '');
    invite.mutate({ email, role }, { onSuccess: () => form.reset() });
  };
  return (
    <section aria-labelledby="invite">
      <h2 id="invite">Invite somebody</h2>
      {mail === 'none' ? (
        <p>This service sends no mail, so nobody can be invited. Its operator can set up mail.</p>
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
            <RoleChoice id={id} role={role} onRole={setRole} />
            <small className={styles.small}>{ROLE_TEXTS[role].rights}</small>
          </div>
          <p role="alert" className={styles.problem}>
            {describeProblem(invite.error, LABELS)}
          </p>
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
