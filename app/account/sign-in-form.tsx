'use client';

import { useState } from 'react';
import styles from './account.module.css';
import { type AuthField, AuthForm } from './auth-form.tsx';
import { callAuth } from './call-auth.ts';
import { signInWithPasskey } from './passkeys.ts';
import { useHasPasskeys } from './use-has-passkeys.ts';

const FIELDS: readonly AuthField[] = [
  { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
  { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' },
];

/** Signs in with password or passkey, then loads the next page whole. */
export function SignInForm({ next }: { readonly next: string }) {
  return (
    <AuthForm
      fields={FIELDS}
      action="Sign in"
      onSend={async ({ email, password }) => {
        await callAuth('/sign-in/email', { email, password });
        location.assign(next);
        return undefined;
      }}
    >
      <PasskeyButton next={next} />
    </AuthForm>
  );
}

function PasskeyButton({ next }: { readonly next: string }) {
  const isOffered = useHasPasskeys();
  const [problem, setProblem] = useState('');
  if (!isOffered) return null;
  const signIn = () =>
    signInWithPasskey().then(
      () => location.assign(next),
      (thrown: Error) => setProblem(thrown.message),
    );
  return (
    <>
      <button type="button" className="button" onClick={signIn}>
        Use a passkey
      </button>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    </>
  );
}
