import type { Env } from '../../base/env.ts';
import type { Mail } from '../../io/mail.ts';

type Site = Pick<Env, 'PUBLIC_URL'>;

/** Goes to the new address of a user. */
export function changedAddressMail({ PUBLIC_URL }: Site, to: string, token: string): Mail {
  const query = new URLSearchParams({ token, callbackURL: '/sign-in?moved=1' });
  return {
    to,
    subject: 'Use this address for an account that exists already',
    text: `A person with an account at Darkroom asked to use this address for it. Only if that was you, open this link:

${PUBLIC_URL}/api/auth/verify-email?${query}

It works for an hour. If that was not you, ignore this mail: the account is another person's.`,
  };
}

/** Tells the former address of an account that it is about to change. */
export function addressChangeNoticeMail({ PUBLIC_URL }: Site, to: string, changed: string): Mail {
  return {
    to,
    subject: 'Your e-mail address is about to change',
    text: `You asked to use ${changed} for your account at Darkroom. It changes once the link sent there is opened.

If that was not you, set a new password now, which signs all browsers out:

${PUBLIC_URL}/reset-password`,
  };
}

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

export function passwordResetMail({ PUBLIC_URL }: Site, to: string, token: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Open this link to set a new password for Darkroom:

${PUBLIC_URL}/reset-password?${new URLSearchParams({ token })}

It works once, for an hour. If you did not ask for it, ignore this mail.`,
  };
}

/** Lets the reader of the address finish a sign-up whose link was never opened. */
export function unfinishedSignUpMail({ PUBLIC_URL }: Site, to: string, token: string): Mail {
  return {
    to,
    subject: 'Finish your sign-up',
    text: `Open this link to choose your password for Darkroom, and then sign in:

${PUBLIC_URL}/reset-password?${new URLSearchParams({ token })}

It works once, for an hour. If you did not sign up, ignore this mail.`,
  };
}

/** Responds to a sign-up whose address has an account: the page itself must not reveal it. */
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
