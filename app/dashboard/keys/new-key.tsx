'use client';

import type { FormEvent } from 'react';
import type { CallInputs } from '../../../server/api/trpc/router.ts';
import { TOOL_LIST } from '../../studio/tools/tools.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { describeProblem } from '../parts/format.ts';
import { useCreateKey } from './use-create-key.ts';

type KeyRequest = CallInputs['keys']['create'];

/** Labels of the form, by the field of the call. */
const LABELS = {
  name: 'Name',
  monthlyCapUsd: 'Most that it may spend in a month, in US dollars',
  expiresAt: 'Works until the end of (UTC)',
} as const;

/** Form for a key: name, operations, monthly cap and expiry. */
export function NewKey({ onMade }: { onMade(apiKey: string): void }) {
  const create = useCreateKey(({ apiKey }) => onMade(apiKey));
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // An emptied form: a second press must not make the same key again.
    create.mutate(readRequest(new FormData(form)), { onSuccess: () => form.reset() });
  };
  return (
    <section aria-labelledby="new-key">
      <h2 id="new-key">Create a key</h2>
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
        <fieldset>
          <legend>Operations: none marked means all</legend>
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
        <p role="alert" className={styles.problem}>
          {describeProblem(create.error, LABELS)}
        </p>
        <div>
          <button type="submit" className="button button-primary" disabled={create.isPending}>
            {create.isPending ? 'Creating…' : 'Create key'}
          </button>
        </div>
      </form>
    </section>
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
