'use client';

import { useState } from 'react';
import styles from './account.module.css';

/** Accepts an invitation for who is signed in, then loads the dashboard of its account. */
export function AcceptInvitation({ token }: { readonly token: string }) {
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState('');
  const accept = async () => {
    setIsSending(true);
    const refusal = await sendAcceptance(token);
    if (refusal === undefined) return location.assign('/dashboard');
    setProblem(refusal);
    setIsSending(false);
  };
  return (
    <>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <div className={styles.actions}>
        <button type="button" className="button button-primary" disabled={isSending} onClick={accept}>
          {isSending ? 'Joining…' : 'Accept invitation'}
        </button>
      </div>
    </>
  );
}

/** Returns the sentence of a refusal; undefined once the visitor has joined. */
async function sendAcceptance(token: string): Promise<string | undefined> {
  const response = await fetch('/api/trpc/team.accept', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch(() => null);
  if (!response) return 'The server cannot be reached. Check your connection and try again.';
  if (response.ok) return undefined;
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  return body?.error?.message ?? 'The server failed. Try again.';
}
