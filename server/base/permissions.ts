import { type SQL, sql } from 'drizzle-orm';
import { memberRole } from '../../drizzle/team.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import { getKeys } from '../../models/core/records.ts';

/** Roles of an account's members, most powerful first. */
export const ROLES = memberRole.enumValues;
export type Role = (typeof ROLES)[number];

/** Names of the roles within a sentence. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'owner',
  developer: 'developer',
  billing: 'billing',
  read_only: 'read only',
};

interface Rule {
  readonly roles: readonly Role[];
  /** End of the sentence "Only the roles … may …". */
  readonly action: string;
}

const PROGRAMS: readonly Role[] = ['owner', 'developer'];
const PROGRAMS_SEEN: readonly Role[] = [...PROGRAMS, 'read_only'];
const MONEY: readonly Role[] = ['owner', 'billing'];

/**
 * Definition of what each role may do in an account. Calls of the dashboard, its pages and navigation, downloads and
 * the API by a session apply it. API keys belong to the account and have permissions of their own.
 */
export const PERMISSIONS = {
  'account.see': { roles: ROLES, action: 'see this account' },
  'account.change': { roles: ['owner'], action: 'export or delete this account' },
  'members.change': { roles: ['owner'], action: 'change the members of this account' },
  'jobs.see': { roles: PROGRAMS_SEEN, action: 'see the jobs of this account' },
  'jobs.change': { roles: PROGRAMS, action: 'run or cancel jobs of this account' },
  'keys.see': { roles: PROGRAMS_SEEN, action: 'see the keys of this account' },
  'keys.change': { roles: PROGRAMS, action: 'create, rotate or revoke keys of this account' },
  'webhooks.see': { roles: PROGRAMS_SEEN, action: 'see the webhooks of this account' },
  'webhooks.change': { roles: PROGRAMS, action: 'use the webhook secret of this account or send its events' },
  'money.see': { roles: [...MONEY, 'read_only'], action: 'see payments and statements of this account' },
  'money.change': { roles: MONEY, action: 'top up this account or change its caps' },
} as const satisfies Readonly<Record<string, Rule>>;

export type Permission = keyof typeof PERMISSIONS;

/** Reports whether a role may do something. */
export function isPermitted(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission].roles;
  return roles.includes(role);
}

/** Lists what a role may do. */
export function listPermissions(role: Role): Permission[] {
  return getKeys(PERMISSIONS).filter((each) => isPermitted(role, each));
}

/** Returns the sentence for a user who may not do something: it names the roles that may. */
export function describeRefusal(role: Role, permission: Permission): string {
  const { roles, action } = PERMISSIONS[permission];
  const names = new Intl.ListFormat('en-GB').format(roles.map((each) => ROLE_NAMES[each]));
  const subject = roles.length === 1 ? `the role ${names}` : `the roles ${names}`;
  return `Only ${subject} may ${action}. Your role is ${ROLE_NAMES[role]}.`;
}

/**
 * Checks that a role may do something.
 * @throws OperationError `forbidden` naming the roles that may
 */
export function assertPermitted(role: Role, permission: Permission): void {
  if (!isPermitted(role, permission))
    throw new OperationError('forbidden', describeRefusal(role, permission));
}

/** Returns the roles that may do something, as an array of PostgreSQL. */
export function permittedRoles(permission: Permission): SQL {
  const roles = PERMISSIONS[permission].roles.map((role) => sql`${role}`);
  return sql`array[${sql.join(roles, sql`, `)}]::member_role[]`;
}
