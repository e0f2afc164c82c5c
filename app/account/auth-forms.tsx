'use client';

import { type FormEvent, type ReactNode, useId, useState } from 'react';
import styles from './account.module.css';
import { AuthProblem, callAuth } from './call-auth.ts';
import { signInWithPasskey, useHasPasskeys } from './passkeys.ts';

const NAME_FIELD: AuthField = { name: 'name', label: 'Name', autoComplete: 'name', maxLength: 100 };

const EMAIL_FIELD: AuthField = { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' };

export const NEW_PASSWORD_FIELD: AuthField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'new-password',
  minLength: 10,
  hint: 'At least 10 characters.',
};

const SIGN_UP_SENT = 'Almost there: open the link that was sent to your address, then sign in.';

const SIGN_UP_LOGGED = 'Almost there: open the link in the log of this local install, then sign in.';

interface SignUpFormProps {
  readonly isServiceOwner: boolean;
  /** Whether mails stand in the log of a local install. */
  readonly isMailLogged: boolean;
  /** Page to load after the owner's sign-up. */
  readonly next: string;
}

const SENT = 'If an account has this address, a link is on its way. It works for an hour.';

const LOGGED =
  'If an account has this address, a link is in the log of this local install. It works for an hour.';

interface ResetFormProps {
  readonly token: string | undefined;
  /** Whether mails stand in the log of a local install. */
  readonly isMailLogged: boolean;
}

export const PASSWORD_FIELD: AuthField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'current-password',
};

/** Choice next to a new password: a person who knew the old one may have made keys or read them. */
export const REVOKE_KEYS_CHOICE: AuthChoice = {
  name: 'revokeKeys',
  label: 'Revoke all API keys, too',
};

export interface AuthField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'email' | 'password' | 'text';
  readonly autoComplete: string;
  readonly hint?: string;
  readonly minLength?: number;
  /** Defaults to 254. */
  readonly maxLength?: number;
  readonly defaultValue?: string;
}

/** Choice that may be left out; it has the value `on` when it is made. */
export interface AuthChoice {
  readonly name: string;
  readonly label: string;
}

interface AuthFormProps {
  readonly fields: readonly AuthField[];
  readonly choices?: readonly AuthChoice[];
  readonly action: string;
  /** @throws AuthProblem that is shown above the button */
  readonly onSend: (values: Readonly<Record<string, string>>) => Promise<string | undefined>;
  /** Whether the button is the one thing to do on its page. Defaults to true. */
  readonly isPrimary?: boolean;
  readonly children?: ReactNode;
}

/** Form of an account page. Shows why a request was refused, or the sentence that `onSend` returns. */
export function AuthForm({
  fields,
  choices = [],
  action,
  onSend,
  isPrimary = true,
  children,
}: AuthFormProps) {
  const [isSending, setIsSending] = useState(false);
  const [said, setSaid] = useState<{ readonly text: string; readonly isProblem: boolean }>();

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    setIsSending(true);
    try {
      const text = await onSend(values);
      setSaid(text === undefined ? undefined : { text, isProblem: false });
      if (text !== undefined) form.reset();
    } catch (thrown) {
      const text = thrown instanceof AuthProblem ? thrown.message : 'The server failed. Try again.';
      setSaid({ text, isProblem: true });
    } finally {
      setIsSending(false);
    }
  };

  return (
    <form className={styles.form} method="post" onSubmit={send}>
      {fields.map((field) => (
        <FormField key={field.name} {...field} />
      ))}
      {choices.map(({ name, label }) => (
        <label key={name} className={styles.choice}>
          <input type="checkbox" name={name} /> {label}
        </label>
      ))}
      <p
        role={said?.isProblem ? 'alert' : 'status'}
        className={said?.isProblem ? styles.problem : styles.said}
      >
        {said?.text}
      </p>
      <div className={styles.actions}>
        <button type="submit" className={isPrimary ? 'button button-primary' : 'button'} disabled={isSending}>
          {isSending ? 'Sending…' : action}
        </button>
        {children}
      </div>
    </form>
  );
}

function FormField({ name, label, hint, type = 'text', ...input }: AuthField) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        required
        maxLength={254}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...input}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

/** Signs in with password or passkey, then loads the next page whole. */
export function SignInForm({ next }: { readonly next: string }) {
  return (
    <AuthForm
      fields={[EMAIL_FIELD, PASSWORD_FIELD]}
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

/** Asks for a link by e-mail or, with the token of that link, for the new password. */
export function ResetForm({ token, isMailLogged }: ResetFormProps) {
  if (token === undefined) {
    return (
      <AuthForm
        fields={[EMAIL_FIELD]}
        action="Send link"
        onSend={async ({ email }) => {
          await callAuth('/request-password-reset', { email });
          return isMailLogged ? LOGGED : SENT;
        }}
      />
    );
  }
  return (
    <AuthForm
      fields={[
        {
          ...NEW_PASSWORD_FIELD,
          label: 'New password',
          hint: 'At least 10 characters. All browsers are signed out, and passkeys are removed.',
        },
      ]}
      choices={[REVOKE_KEYS_CHOICE]}
      action="Set password"
      onSend={async ({ password, revokeKeys }) => {
        await callAuth('/reset-password', { token, newPassword: password, revokeKeys: revokeKeys === 'on' });
        location.assign('/sign-in?changed=1');
        return undefined;
      }}
    />
  );
}

/** Signs up. The owner of a local install is signed in at once. */
export function SignUpForm({ isServiceOwner, isMailLogged, next }: SignUpFormProps) {
  return (
    <AuthForm
      fields={[NAME_FIELD, EMAIL_FIELD, NEW_PASSWORD_FIELD]}
      action={isServiceOwner ? 'Create the owner’s account' : 'Create account'}
      onSend={async ({ name, email, password }) => {
        await callAuth('/sign-up/email', { name, email, password });
        const proof = isMailLogged ? SIGN_UP_LOGGED : SIGN_UP_SENT;
        if (!isServiceOwner) return proof;
        try {
          await callAuth('/sign-in/email', { email, password });
        } catch (thrown) {
          // An address whose account was opened by the command is proved first.
          if (thrown instanceof AuthProblem && thrown.code === 'INVALID_EMAIL_OR_PASSWORD') return proof;
          throw thrown;
        }
        location.assign(next);
        return undefined;
      }}
    />
  );
}

/** Signs up by an invitation, and loads the dashboard of its account. */
export function InvitedSignUpForm({ token }: { readonly token: string }) {
  return (
    <AuthForm
      fields={[NAME_FIELD, NEW_PASSWORD_FIELD]}
      action="Create account and join"
      onSend={async ({ name, password }) => {
        const { email } = await callAuth<{ email: string }>('/sign-up/invitation', { token, name, password });
        await callAuth('/sign-in/email', { email, password });
        location.assign('/dashboard');
        return undefined;
      }}
    />
  );
}
