'use client';

import { AuthForm } from './auth-form.tsx';
import { callAuth } from './call-auth.ts';
import { NAME_FIELD, NEW_PASSWORD_FIELD } from './sign-up-form.tsx';

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
