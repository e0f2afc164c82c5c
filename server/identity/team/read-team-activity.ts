import { sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Returns a text that changes with the members of an account, their roles and its open invitations. */
export async function readTeamActivity(db: Executor, accountId: string): Promise<string> {
  const { invitations, memberships } = schema;
  const [found] = await db.execute<{ team: string }>(
    readOnly(sql`select concat_ws(' | ',
    (select string_agg(concat_ws(' ', user_id, role), ',' order by user_id)
      from ${memberships} where account_id = ${accountId}::uuid),
    (select string_agg(concat_ws(' ', id, role), ',' order by id)
      from ${invitations} where account_id = ${accountId}::uuid)) as team`),
  );
  return found?.team ?? '';
}
