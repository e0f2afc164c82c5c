'use client';

import { type AuthField, AuthForm } from './auth-form.tsx';
import { callAuth } from './call-auth.ts';

const FIELDS: readonly AuthField[] = [
  { name: 'name', label: 'Name', autoComplete: 'name' },
  { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'new-password',
    minLength: 10,
    hint: 'At least 10 characters.',
  },
];

const SENT = 'Almost there: open the link that was sent to your address, then sign in.';

/**
 * Signs up. The owner of a local install is signed in at once.
 * @param next page to load then
 */
export function SignUpForm({ isOwner, next }: { readonly isOwner: boolean; readonly next: string }) {
  return (
    <AuthForm
      fields={FIELDS}
      action={isOwner ? 'Create the owner’s account' : 'Create account'}
      onSend={async ({ name, email, password }) => {
        await callAuth('/sign-up/email', { name, email, password });
        if (!isOwner) return SENT;
        await callAuth('/sign-in/email', { email, password });
        location.assign(next);
        return undefined;
      }}
    />
  );
}
