'use client';

import { useQuery } from '@tanstack/react-query';
import { Check, Circle } from 'lucide-react';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Cell } from '../../../models/core/cell.ts';
import { firstRequest } from '../../docs/first-request.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { type CreatedKey, useCreateKey } from '../keys/use-create-key.ts';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import styles from './first-steps.module.css';

const KEY_NAME = 'first key';
/** The new key. It outlives the list, so that a visitor still finds it after a top-up; a reload forgets it. */
const madeKey = new Cell<CreatedKey | undefined>(undefined);

/**
 * Leads a new account to its first result: money, a key, and a request that works as it stands. Each step is marked as
 * it is done; the list goes once all are.
 * @param origin of the service, without a trailing slash
 */
export function FirstSteps({ origin }: { readonly origin: string }) {
  const calls = useTrpc();
  const wallet = useQuery(calls.wallet.summary.queryOptions());
  const keys = useQuery(calls.keys.list.queryOptions());
  const jobs = useQuery(calls.jobs.list.queryOptions({ limit: 1 }));
  const hasMoney = Number(wallet.data?.balanceUsd) > 0;
  const activeKeys = keys.data?.filter(({ state }) => state === 'active');
  const hasKey = activeKeys !== undefined && activeKeys.length > 0;
  const hasJob = (jobs.data?.jobs.length ?? 0) > 0;
  const isDone = hasMoney && hasKey && hasJob;
  const lastMade = useMadeKey(isDone);
  // Another tab may have changed the account, its mode or the visitor; and the key may be revoked.
  const made = activeKeys?.find(({ keyId }) => keyId === lastMade?.keyId) && lastMade?.apiKey;
  if (!wallet.data || !keys.data || !jobs.data || (isDone && made === undefined)) return null;
  return (
    <section aria-labelledby="first-steps" className={styles.steps}>
      <h2 id="first-steps">First steps</h2>
      <ol>
        <Step isDone={hasMoney} title="Add money" />
        <Step isDone={hasKey} title="Create a key">
          {!hasKey && <MakeKey onMade={madeKey.set} />}
        </Step>
        <Step isDone={hasJob} title="Send a request">
          {(made !== undefined || !hasJob) && <Request origin={origin} apiKey={made} />}
        </Step>
      </ol>
    </section>
  );
}

/**
 * Returns the new key until the list unmounts with every step done.
 * @param isDone whether every step is done
 */
function useMadeKey(isDone: boolean): CreatedKey | undefined {
  useEffect(
    () => () => {
      if (isDone) madeKey.set(undefined);
    },
    [isDone],
  );
  return useSyncExternalStore(madeKey.subscribe, madeKey.get, madeKey.get);
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly children?: ReactNode;
}

function Step({ isDone, title, children }: StepProps) {
  const Mark = isDone ? Check : Circle;
  return (
    <li data-done={isDone}>
      <p>
        <Mark size={18} strokeWidth={1.5} aria-hidden />
        {title}
        <span className="sr-only">{isDone ? ', done' : ', to do'}</span>
      </p>
      {children}
    </li>
  );
}

function MakeKey({ onMade }: { onMade(key: CreatedKey): void }) {
  const create = useCreateKey(onMade);
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={create.isPending}
        onClick={() => create.mutate({ name: KEY_NAME })}
      >
        Create key
      </button>
      <Problem error={create.error} />
    </>
  );
}

interface RequestProps {
  readonly origin: string;
  /** The new key, which is shown this once. */
  readonly apiKey: string | undefined;
}

/** A request that works from any machine: its input is a sample of this service, and comes with it. */
function Request({ origin, apiKey }: RequestProps) {
  const command = firstRequest(origin, apiKey ?? '$DARKROOM_KEY');
  return (
    <>
      {apiKey !== undefined && <p className="note">Copy it now: your new key is shown once.</p>}
      <pre>
        <code>{command}</code>
      </pre>
      <CopyText text={command} label="Copy request" />
    </>
  );
}
