'use client';

import { type FormEvent, type ReactNode, useId, useState } from 'react';
import styles from './account.module.css';
import { AuthProblem } from './call-auth.ts';

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
