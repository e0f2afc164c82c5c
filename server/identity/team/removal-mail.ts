import type { Env } from '../../base/env.ts';
import type { Mail } from '../../io/mail/index.ts';

interface RemovalText {
  readonly to: string;
  /** Address of whoever removes. */
  readonly remover: string;
  readonly account: string;
}

/** Tells somebody who was removed from an account what has happened, and what is left. */
export function removalMail(
  { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>,
  { to, remover, account }: RemovalText,
): Mail {
  return {
    to,
    subject: 'You were removed from an account at Darkroom',
    text: `${remover} has removed you from the account ${account} at Darkroom. Browsers that showed it are signed out. Sign in to see the accounts that you still belong to:

${PUBLIC_URL}/dashboard`,
  };
}
