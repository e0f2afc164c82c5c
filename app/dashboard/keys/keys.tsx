'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { CallInputs, CallOutputs } from '../../../server/api/trpc/router.ts';
import { TOOL_LIST } from '../../studio/tools/tools.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { formatMoment } from '../../ui/dates.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { modelName } from '../parts/format.ts';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import { useCreateKey } from './use-create-key.ts';

type KeyRequest = CallInputs['keys']['create'];

/** Labels of the form, by the field of the call. */
const LABELS = {
  name: 'Name',
  monthlyCapUsd: 'US dollars a month',
  expiresAt: 'Last day (UTC)',
} as const;

type Key = CallOutputs['keys']['list'][number];

const TONES = { active: 'good', expired: 'warn', revoked: 'bad' } as const;

/** The account's API keys, newest first, and a form for another. A new key is shown once. */
export function Keys() {
  const calls = useTrpc();
  const canChange = usePermitted('keys.change');
  const [made, setMade] = useState<string>();
  const { data, error } = useQuery(calls.keys.list.queryOptions());
  // It stands above the list whose button may have made it.
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    if (made !== undefined) shown.current?.focus();
  }, [made]);
  return (
    <>
      {made !== undefined && (
        <section ref={shown} tabIndex={-1} className={formStyles.secret} aria-label="New key">
          <p role="status">Here is your new key. Copy it now: it can’t be shown again.</p>
          <code>{made}</code>
          <span className={styles.actions}>
            <CopyText text={made} label="Copy key" />
            <button type="button" className="button button-quiet" onClick={() => setMade(undefined)}>
              Hide key
            </button>
          </span>
        </section>
      )}
      {canChange && <NewKey onMade={setMade} />}
      <section aria-labelledby="own-keys">
        <h2 id="own-keys">Your keys</h2>
        {error && <p role="alert">{error.message}</p>}
        {!data && !error && <p role="status">Loading…</p>}
        {data?.length === 0 && (
          <p>{canChange ? 'None yet.' : 'None yet. An owner or developer can create one.'}</p>
        )}
        <ul className={styles.list}>
          {data?.map((key) => (
            <KeyRow key={key.keyId} own={key} onMade={setMade} />
          ))}
        </ul>
      </section>
    </>
  );
}

interface KeyProps {
  readonly own: Key;
  /** Called with a new key, which is shown once. */
  onMade(apiKey: string): void;
}

function KeyRow({ own, onMade }: KeyProps) {
  const { name, prefix, state } = own;
  const canChange = usePermitted('keys.change');
  return (
    <li>
      <div className={styles.line}>
        <p>
          <b>{name}</b> <span className="facts">{prefix}…</span>
        </p>
        <span className={styles.state} data-tone={TONES[state]}>
          {state}
        </span>
      </div>
      <p className="note">{describe(own)}</p>
      {canChange && <KeyActions own={own} onMade={onMade} />}
    </li>
  );
}

/** Rotates a key that works, or revokes it on the second press. */
function KeyActions({ own: { keyId, state }, onMade }: KeyProps) {
  const calls = useTrpc();
  const [isSure, setIsSure] = useState(false);
  const rotate = useMutation(
    calls.keys.rotate.mutationOptions({ onSuccess: ({ apiKey }) => onMade(apiKey) }),
  );
  const revoke = useMutation(calls.keys.revoke.mutationOptions());
  return (
    <>
      {state === 'active' && (
        <div className={styles.actions}>
          <button
            type="button"
            className="button"
            disabled={rotate.isPending}
            onClick={() => rotate.mutate({ keyId })}
          >
            Rotate key
          </button>
          <button
            type="button"
            className="button"
            disabled={revoke.isPending}
            onClick={() => (isSure ? revoke.mutate({ keyId }) : setIsSure(true))}
          >
            {isSure ? 'Revoke key now: its programs stop' : 'Revoke key'}
          </button>
          {isSure && (
            <button type="button" className="button button-quiet" onClick={() => setIsSure(false)}>
              Keep key
            </button>
          )}
        </div>
      )}
      <Problem error={rotate.error ?? revoke.error} />
    </>
  );
}

function describe({ operations, monthlyCapUsd, spentUsd, expiresAt, lastUsedAt, ...key }: Key): string {
  const parts = [
    ...(key.createdBy === null
      ? []
      : [`made by ${key.createdBy}${key.isOfFormerMember ? ', who has left the account' : ''}`]),
    ...(operations ? [operations.map(modelName).join(', ')] : []),
    `$${spentUsd}${monthlyCapUsd === null ? '' : ` of $${monthlyCapUsd}`} this month`,
    ...(expiresAt ? [`until ${formatMoment(expiresAt)}`] : []),
    lastUsedAt ? `last used ${formatMoment(lastUsedAt)}` : 'never used',
  ];
  return parts.join(' · ');
}

/** Form for a key: name, operations, monthly cap and expiry. */
function NewKey({ onMade }: { onMade(apiKey: string): void }) {
  const create = useCreateKey(({ apiKey }) => onMade(apiKey));
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // An emptied form: a second press must not make the same key again.
    create.mutate(readRequest(new FormData(form)), { onSuccess: () => form.reset() });
  };
  return (
    <section aria-labelledby="new-key">
      <div className={styles.head}>
        <h2 id="new-key">Create a key</h2>
        <SiteLink href="/docs/quickstart">Quickstart</SiteLink>
      </div>
      <form className={formStyles.form} onSubmit={send}>
        <label className={formStyles.field}>
          <span>{LABELS.name}</span>
          <input
            className={formStyles.input}
            name="name"
            required
            maxLength={100}
            placeholder="shop-backend"
          />
        </label>
        <KeyLimits />
        <Problem error={create.error} labels={LABELS} />
        <div>
          <button type="submit" className="button button-primary" disabled={create.isPending}>
            {create.isPending ? 'Creating…' : 'Create key'}
          </button>
        </div>
      </form>
    </section>
  );
}

/** Shows what a key may do, folded: most need no limits. */
function KeyLimits() {
  return (
    <details className={formStyles.more}>
      <summary>Limits</summary>
      <fieldset>
        <legend>Only these operations</legend>
        <div className={formStyles.checks}>
          {TOOL_LIST.map(({ operationId, name }) => (
            <label key={operationId}>
              <input type="checkbox" name="operations" value={operationId} /> {name}
            </label>
          ))}
        </div>
      </fieldset>
      <label className={formStyles.field}>
        <span>{LABELS.monthlyCapUsd}</span>
        <input className={formStyles.input} name="cap" inputMode="decimal" placeholder="No limit" />
      </label>
      <label className={formStyles.field}>
        <span>{LABELS.expiresAt}</span>
        <input className={formStyles.input} name="expires" type="date" />
      </label>
    </details>
  );
}

function readRequest(form: FormData): KeyRequest {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const operations = form.getAll('operations').map(String) as NonNullable<KeyRequest['operations']>;
  return {
    name: text('name'),
    ...(operations.length > 0 && { operations }),
    ...(text('cap') && { monthlyCapUsd: text('cap') }),
    ...(text('expires') && { expiresAt: `${text('expires')}T23:59:59Z` }),
  };
}
