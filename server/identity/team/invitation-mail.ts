import type { Env } from '../../base/env.ts';
import { ROLE_NAMES, type Role } from '../../base/permissions.ts';
import type { Mail } from '../../io/mail/index.ts';

/** Days for which the link of an invitation works. */
export const INVITATION_DAYS = 7;

interface InvitationText {
  readonly to: string;
  /** Address of the inviter: a name could hold the text of a sender of junk. */
  readonly inviter: string;
  readonly account: string;
  readonly role: Role;
  readonly token: string;
}

/** Returns the path of the page that an invitation's link opens. */
export function invitationPath(token: string): string {
  return `/invitation?${new URLSearchParams({ token })}`;
}

/** Invites a person into an account. The text is the same whether the address is known here or not. */
export function invitationMail(
  { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>,
  { to, inviter, account, role, token }: InvitationText,
): Mail {
  return {
    to,
    subject: 'You are invited to an account at Darkroom',
    text: `${inviter} invites you to the account ${account} at Darkroom. Your role would be ${ROLE_NAMES[role]}. Open this link to join:

${PUBLIC_URL}${invitationPath(token)}

It works once, for ${INVITATION_DAYS} days. If you do not know ${inviter}, ignore this mail.`,
  };
}
