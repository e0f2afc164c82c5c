import { type SQL, sql } from 'drizzle-orm';
import { PERMISSIONS, type Permission } from './permissions.ts';

/** Returns the roles that may do something, as an array of PostgreSQL. */
export function permittedRoles(permission: Permission): SQL {
  const roles = PERMISSIONS[permission].roles.map((role) => sql`${role}`);
  return sql`array[${sql.join(roles, sql`, `)}]::member_role[]`;
}
