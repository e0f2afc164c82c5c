import type { AuthChoice } from './auth-form.tsx';

/** Choice next to a new password: a person who knew the old one may have made keys or read them. */
export const REVOKE_KEYS_CHOICE: AuthChoice = {
  name: 'revokeKeys',
  label: 'Revoke all API keys as well. Programs that use them stop working.',
};
