'use client';

import { AuthForm } from './auth-form.tsx';
import { callAuth } from './call-auth.ts';
import { REVOKE_KEYS_CHOICE } from './revoke-keys-choice.ts';

const SENT = 'If an account has this address, a link is on its way. It works for an hour.';
const LOGGED =
  'If an account has this address, a link is in the log of this local install. It works for an hour.';

interface ResetFormProps {
  readonly token: string | undefined;
  /** Whether mails stand in the log of a local install. */
  readonly isMailLogged: boolean;
}

/** Asks for a link by e-mail or, with the token of that link, for the new password. */
export function ResetForm({ token, isMailLogged }: ResetFormProps) {
  if (token === undefined) {
    return (
      <AuthForm
        fields={[{ name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' }]}
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
          name: 'password',
          label: 'New password',
          type: 'password',
          autoComplete: 'new-password',
          minLength: 10,
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
