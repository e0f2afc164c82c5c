'use client';

import { AuthForm } from './auth-form.tsx';
import { callAuth } from './call-auth.ts';

const SENT = 'If an account has this address, a link is on its way. It works for an hour.';

/** Asks for a link by e-mail or, with the token of that link, for the new password. */
export function ResetForm({ token }: { readonly token: string | undefined }) {
  if (token === undefined) {
    return (
      <AuthForm
        fields={[{ name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' }]}
        action="Send the link"
        onSend={async ({ email }) => {
          await callAuth('/request-password-reset', { email });
          return SENT;
        }}
      />
    );
  }
  return (
    <AuthForm
      fields={[
        {
          name: 'password',
          label: 'New password',
          type: 'password',
          autoComplete: 'new-password',
          minLength: 10,
          hint: 'At least 10 characters. All browsers are signed out.',
        },
      ]}
      action="Set the password"
      onSend={async ({ password }) => {
        await callAuth('/reset-password', { token, newPassword: password });
        location.assign('/sign-in?changed=1');
        return undefined;
      }}
    />
  );
}
