'use client';

import { useMutation } from '@tanstack/react-query';
import type { JoinedAccount } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import styles from './dashboard.module.css';
import formStyles from './form.module.css';
import { describeProblem } from './format.ts';
import modeStyles from './mode.module.css';
import { useTrpc } from './trpc-client.tsx';

interface AccountSwitchProps {
  readonly accounts: readonly JoinedAccount[];
  /** Id of the account that is shown. */
  readonly shown: string;
}

/** Choice between the accounts of a person who belongs to several. It loads the dashboard of the chosen one. */
export function AccountSwitch({ accounts, shown }: AccountSwitchProps) {
  const calls = useTrpc();
  const change = useMutation(
    calls.team.switch.mutationOptions({ onSuccess: () => location.assign('/dashboard') }),
  );
  if (accounts.length < 2) return null;
  return (
    <div className={modeStyles.mode}>
      <label className={formStyles.check}>
        Account
        <select
          aria-label="Account"
          className={formStyles.input}
          value={shown}
          disabled={change.isPending || change.isSuccess}
          onChange={({ target }) => change.mutate({ accountId: target.value })}
        >
          {accounts.map(({ accountId, name, role }) => (
            <option key={accountId} value={accountId}>
              {name} · {ROLE_TEXTS[role].name}
            </option>
          ))}
        </select>
      </label>
      <span role="alert" className={styles.problem}>
        {describeProblem(change.error)}
      </span>
    </div>
  );
}
