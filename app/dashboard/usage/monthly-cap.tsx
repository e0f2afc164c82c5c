'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import type { ComponentProps, FormEvent } from 'react';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

type Settings = CallOutputs['spending']['settings'];

/** Labels of the forms, by the field of the call. */
const LABELS = {
  amountUsd: 'Monthly limit in US dollars',
  url: 'Webhook for alerts',
} as const;

/** The cap of the account and where its alerts go, with what this month has cost. */
export function MonthlyCap() {
  const calls = useTrpc();
  const canChange = usePermitted('money.change');
  const { data, error } = useQuery(calls.spending.settings.queryOptions());
  return (
    <section aria-labelledby="monthly-cap">
      <h2 id="monthly-cap">This month</h2>
      {error && <p role="alert">{error.message}</p>}
      {!data && !error && <p role="status">Loading…</p>}
      {data && (
        <>
          <p>
            ${data.chargedUsd} spent{data.monthlyCapUsd === null ? '' : ` of $${data.monthlyCapUsd}`}
            {Number(data.reservedUsd) > Number(data.chargedUsd) && `, $${data.reservedUsd} with running jobs`}
          </p>
          {canChange && (
            <>
              <CapForm settings={data} />
              <EventForm settings={data} />
            </>
          )}
        </>
      )}
    </section>
  );
}

/** Reads the only field of a form: null where it is empty. */
function readField(event: FormEvent<HTMLFormElement>): string | null {
  event.preventDefault();
  const text = String(new FormData(event.currentTarget).get('value') ?? '').trim();
  return text === '' ? null : text;
}

function CapForm({ settings: { monthlyCapUsd } }: { readonly settings: Settings }) {
  const calls = useTrpc();
  const save = useMutation(calls.spending.setCap.mutationOptions());
  return (
    <form className={formStyles.form} onSubmit={(event) => save.mutate({ amountUsd: readField(event) })}>
      <label className={formStyles.field}>
        <span>{LABELS.amountUsd}</span>
        <input
          className={formStyles.input}
          name="value"
          inputMode="decimal"
          placeholder="No limit"
          defaultValue={monthlyCapUsd ?? ''}
        />
      </label>
      <p className="note">Refuses requests beyond it. Mails you at 50, 80 and 100 %.</p>
      <SaveButton save={save} name="Save limit" />
    </form>
  );
}

function EventForm({ settings: { eventUrl } }: { readonly settings: Settings }) {
  const calls = useTrpc();
  const save = useMutation(calls.spending.setEventUrl.mutationOptions());
  return (
    <form className={formStyles.form} onSubmit={(event) => save.mutate({ url: readField(event) })}>
      <label className={formStyles.field}>
        <span>{LABELS.url}</span>
        <input
          className={formStyles.input}
          name="value"
          type="url"
          maxLength={2000}
          placeholder="https://example.com/events"
          defaultValue={eventUrl ?? ''}
        />
      </label>
      <SaveButton save={save} name="Save URL" />
    </form>
  );
}

interface SaveButtonProps {
  readonly save: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: ComponentProps<typeof Problem>['error'];
  };
  readonly name: string;
}

function SaveButton({ save, name }: SaveButtonProps) {
  return (
    <>
      <Problem error={save.error} labels={LABELS} />
      <div className={styles.actions}>
        <button type="submit" className="button" disabled={save.isPending}>
          {save.isPending ? 'Saving…' : name}
        </button>
        <span role="status">{save.isSuccess && 'Saved.'}</span>
      </div>
    </>
  );
}
