import type { Role } from '../../server/api/trpc/router.ts';

/** Names of the roles and what each may do, in the order of a choice. */
export const ROLE_TEXTS: Readonly<Record<Role, { readonly name: string; readonly rights: string }>> = {
  owner: { name: 'Owner', rights: 'Everything.' },
  developer: { name: 'Developer', rights: 'Keys, jobs and webhooks.' },
  billing: { name: 'Billing', rights: 'Top-ups, statements and caps.' },
  read_only: { name: 'Read only', rights: 'Sees keys, jobs, webhooks and money.' },
};
