'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyText } from '../../ui/copy-text.tsx';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

/** The secrets that sign webhooks, hidden until asked for, and their rotation. */
export function WebhookSecrets() {
  const calls = useTrpc();
  const [isShown, setIsShown] = useState(false);
  const { data = [] } = useQuery(calls.webhooks.secrets.queryOptions(undefined, { enabled: isShown }));
  const rotate = useMutation(
    calls.webhooks.rotateSecret.mutationOptions({
      onSuccess: () => setIsShown(true),
    }),
  );
  return (
    <section aria-labelledby="secret">
      <h2 id="secret">Signing secret</h2>
      <p className={styles.muted}>Signs deliveries. After a rotation the old one works for 24 hours.</p>
      {isShown &&
        data.map((secret, at) => (
          <div key={secret} className={formStyles.secret}>
            <span className="note">{at === 0 ? 'Current' : 'Former'}</span>
            <code>{secret}</code>
            <span className={styles.actions}>
              <CopyText text={secret} label="Copy secret" />
            </span>
          </div>
        ))}
      <div className={styles.actions}>
        <button type="button" className="button" onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide secret' : 'Show secret'}
        </button>
        <button
          type="button"
          className="button"
          disabled={rotate.isPending}
          onClick={() => rotate.mutate({})}
        >
          Rotate secret
        </button>
        <Problem error={rotate.error} />
      </div>
    </section>
  );
}

const LABEL = 'Your URL';

/** Sends a signed test event to a URL. */
export function TestEvent() {
  const calls = useTrpc();
  const [url, setUrl] = useState('');
  const send = useMutation(calls.webhooks.sendTest.mutationOptions());
  return (
    <section aria-labelledby="test">
      <h2 id="test">Test event</h2>
      <form
        className={formStyles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate({ url });
        }}
      >
        <label className={formStyles.field}>
          <span>{LABEL}</span>
          <input
            className={formStyles.input}
            type="url"
            required
            maxLength={2000}
            placeholder="https://example.com/webhooks/darkroom"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <div className={styles.actions}>
          <button type="submit" className="button" disabled={send.isPending}>
            Send test event
          </button>
          <span role="status">{send.isSuccess && 'Sent: see below.'}</span>
        </div>
        <Problem error={send.error} labels={{ url: LABEL }} />
      </form>
    </section>
  );
}
