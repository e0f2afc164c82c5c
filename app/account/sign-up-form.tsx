'use client';

import { type AuthField, AuthForm } from './auth-form.tsx';
import { callAuth } from './call-auth.ts';

export const NAME_FIELD: AuthField = { name: 'name', label: 'Name', autoComplete: 'name', maxLength: 100 };
export const NEW_PASSWORD_FIELD: AuthField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'new-password',
  minLength: 10,
  hint: 'At least 10 characters.',
};

const FIELDS: readonly AuthField[] = [
  NAME_FIELD,
  { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
  NEW_PASSWORD_FIELD,
];

const SENT = 'Almost there: open the link that was sent to your address, then sign in.';
const LOGGED = 'Almost there: open the link in the log of this local install, then sign in.';

interface SignUpFormProps {
  readonly isServiceOwner: boolean;
  /** Whether mails stand in the log of a local install. */
  readonly isMailLogged: boolean;
  /** Page to load after the owner's sign-up. */
  readonly next: string;
}

/** Signs up. The owner of a local install is signed in at once. */
export function SignUpForm({ isServiceOwner, isMailLogged, next }: SignUpFormProps) {
  return (
    <AuthForm
      fields={FIELDS}
      action={isServiceOwner ? 'Create the owner’s account' : 'Create account'}
      onSend={async ({ name, email, password }) => {
        await callAuth('/sign-up/email', { name, email, password });
        if (!isServiceOwner) return isMailLogged ? LOGGED : SENT;
        await callAuth('/sign-in/email', { email, password });
        location.assign(next);
        return undefined;
      }}
    />
  );
}
