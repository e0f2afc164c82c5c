import { sql } from 'drizzle-orm';
import type { Executor } from '../database/db.ts';
import { readOnly } from '../database/read-only.ts';

/** Time after its latest request for which a machine of an account counts as present. */
const PRESENT_SECONDS = 300;

/** Notes that a machine of an account has asked for a job. */
export async function noteOwnWorker(db: Executor, accountId: string): Promise<void> {
  await db.execute(sql`
    insert into queue_turns (lane, account_id, taken_at) values ('own', ${accountId}::uuid, clock_timestamp())
    on conflict (lane, account_id) do update set taken_at = excluded.taken_at`);
}

/** Reports whether a machine of an account has asked for a job in the last minutes. */
export async function hasOwnWorker(db: Executor, accountId: string): Promise<boolean> {
  const found = await db.execute(
    readOnly(sql`
    select from queue_turns where lane = 'own' and account_id = ${accountId}::uuid
      and taken_at > now() - ${PRESENT_SECONDS}::int * interval '1 second'`),
  );
  return found.length > 0;
}
