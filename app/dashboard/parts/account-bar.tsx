'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { TEST_MODE_COOKIE } from '../../../models/test-mode/test-mode-cookie.ts';
import type { JoinedAccount } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import { rememberChoice } from '../../ui/remember-choice.ts';
import styles from './dashboard.module.css';
import formStyles from './form.module.css';
import { Select } from './list-controls.tsx';
import modeStyles from './mode.module.css';
import { usePermitted } from './permissions.tsx';
import { Problem } from './problem.tsx';
import { LEAVES_PAGE, useTrpc } from './trpc-client.tsx';

/** Below this many US dollars, jobs may soon be refused. */
const LOW_USD = 1;

const TOP_UP = '/dashboard/top-up';

/** Has its own button. */
const WALLET = '/dashboard';

interface LowBalanceProps {
  /** Available amount when the page was made, so that the notice is there from the start. */
  readonly availableUsd: string;
}

interface AccountSwitchProps {
  readonly accounts: readonly JoinedAccount[];
  /** Id of the account that is shown. */
  readonly shown: string;
}

/** Choice between the accounts of a person who belongs to several. It loads the dashboard of the chosen one. */
export function AccountSwitch({ accounts, shown }: AccountSwitchProps) {
  const calls = useTrpc();
  const change = useMutation(
    calls.team.switch.mutationOptions({
      meta: LEAVES_PAGE,
      onSuccess: () => location.assign('/dashboard'),
    }),
  );
  if (accounts.length < 2) return null;
  const names = accounts.map(
    ({ accountId, name, role }) => [accountId, `${name} · ${ROLE_TEXTS[role].name}`] as const,
  );
  return (
    <div className={modeStyles.mode}>
      <label className={formStyles.check} htmlFor="account-choice">
        Account
        <Select
          id="account-choice"
          label="Account"
          value={shown}
          choices={Object.fromEntries(names)}
          disabled={change.isPending || change.isSuccess}
          onChoose={(accountId) => change.mutate({ accountId })}
        />
      </label>
      <Problem error={change.error} />
    </div>
  );
}

/** Pages that show live data or those of test keys. */
const PAGES_WITH_TEST_DATA = ['jobs', 'requests', 'keys', 'webhooks'];

/** Switch between live data and those of test keys, on the pages that follow it, and on each while it is on. */
export function TestModeSwitch({ isTest }: { readonly isTest: boolean }) {
  const [, , page = ''] = usePathname().split('/');
  if (!isTest && !PAGES_WITH_TEST_DATA.includes(page)) return null;
  const choose = (mode: 'test' | 'live') => {
    rememberChoice(TEST_MODE_COOKIE, mode);
    window.location.reload();
  };
  return (
    <div className={modeStyles.mode} data-test={isTest}>
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isTest}
          aria-describedby="test-data"
          checked={isTest}
          onChange={() => choose(isTest ? 'live' : 'test')}
        />
        Test data
      </label>
      <p id="test-data" className="note">
        Made up, free.
      </p>
    </div>
  );
}

/** Says that the balance runs low, on every page of the dashboard but the one that fixes it. */
export function LowBalance({ availableUsd: before }: LowBalanceProps) {
  const calls = useTrpc();
  const { data } = useQuery(calls.wallet.summary.queryOptions());
  const availableUsd = data?.availableUsd ?? before;
  const canTopUp = usePermitted('money.change');
  const path = usePathname();
  if (path === TOP_UP || Number(availableUsd) >= LOW_USD) return null;
  return (
    <p role="status" className={styles.low}>
      {Number(availableUsd) === 0
        ? 'Your wallet is empty: new jobs are refused.'
        : `Only $${availableUsd} is available: jobs that cost more are refused.`}{' '}
      {!canTopUp && 'An owner or the billing role can top up.'}
      {canTopUp && path !== WALLET && <Link href={TOP_UP}>Top up</Link>}
    </p>
  );
}
