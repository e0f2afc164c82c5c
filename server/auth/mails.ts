import type { Env } from '../env.ts';
import type { Mail } from '../mail/index.ts';

type Site = Pick<Env, 'PUBLIC_URL'>;

export function verificationMail({ PUBLIC_URL }: Site, to: string, token: string): Mail {
  const query = new URLSearchParams({ token, callbackURL: '/sign-in?verified=1' });
  return {
    to,
    subject: 'Verify your e-mail address',
    text: `Open this link to verify your e-mail address for Darkroom:

${PUBLIC_URL}/api/auth/verify-email?${query}

It works for an hour. If you did not sign up, ignore this mail.`,
  };
}

export function resetMail({ PUBLIC_URL }: Site, to: string, token: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Open this link to set a new password for Darkroom:

${PUBLIC_URL}/reset-password?${new URLSearchParams({ token })}

It works once, for an hour. If you did not ask for it, ignore this mail.`,
  };
}

/** Answers a sign-up whose address has an account: the page itself must not tell. */
export function existingAccountMail({ PUBLIC_URL }: Site, to: string): Mail {
  return {
    to,
    subject: 'You already have an account',
    text: `Someone signed up for Darkroom with your address, which already has an account.

Sign in: ${PUBLIC_URL}/sign-in
Forgot the password? ${PUBLIC_URL}/reset-password

If that was not you, ignore this mail.`,
  };
}
