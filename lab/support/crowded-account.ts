import { sql } from 'drizzle-orm';
import type { Db } from '../../server/base/database/db.ts';

export interface AccountSize {
  readonly jobs: number;
  /** Entries of the wallet; the house has as many. */
  readonly entries: number;
}

/** Movements that one transaction writes: within one, each would leave a dead version of the wallet's row. */
const MOVEMENTS_PER_TRANSACTION = 500;
const MODELS = ['media-convert-image', 'remove-bg', 'upscale', 'image-moderation'];

/** Fills an account with ended jobs of the last year, what belongs to them, and movements of money. */
export async function fillAccount(db: Db, accountId: string, { jobs, entries }: AccountSize): Promise<void> {
  const models = modelList();
  await db.execute(sql`
    insert into jobs (id, account_id, operation_id, params, facts, status, progress, held_micro_usd,
      charged_micro_usd, error, created_at, updated_at, started_at, completed_at)
    select concat(model, '_', ${accountId}::text, n), ${accountId}, model, '{}', '{"width": 800, "height": 600}',
      case when is_failed then 'FAILED' else 'COMPLETED' end::job_status, 1, 2000,
      case when is_failed then 0 else 2000 end, case when is_failed then 'no' end, at, at, at, at
    from generate_series(1, ${jobs}::int) n,
      lateral (select (${models})[n % ${MODELS.length} + 1] as model, n % 20 = 0 as is_failed,
        now() - n * interval '365 days' / ${jobs}::int as at) drawn`);
  await db.execute(sql`
    insert into files (key, job_id, role, position, name, media_type, bytes, sha256, created_at, expires_at)
    select id, id, 'output', 0, 'output.png', 'image/png', 1, '', created_at, created_at + interval '7 days'
    from jobs where account_id = ${accountId}`);
  await db.execute(sql`
    insert into payments (id, account_id, state, due_micro_usd, created_at)
    select concat('pi_', ${accountId}::text, n), ${accountId}, 'failed', 0, now() - n * interval '1 hour'
    from generate_series(1, ${jobs}::int / 20) n`);
  await db.execute(sql`
    insert into webhook_deliveries (account_id, reference, url, body, state, attempts, created_at)
    select account_id, id, 'https://example.com/hook', '{}', 'delivered', 1, created_at
    from jobs where account_id = ${accountId} and hashtext(id) % 10 = 0`);
  await db.execute(sql`
    insert into webhook_delivery_attempts (delivery_id, attempt, duration_ms, response_status)
    select id, 1, 20, 200 from webhook_deliveries where account_id = ${accountId}`);
  for (let done = 0; done < entries; done += MOVEMENTS_PER_TRANSACTION) {
    await move(db, accountId, Math.min(MOVEMENTS_PER_TRANSACTION, entries - done));
  }
  await db.execute(sql`analyze`);
}

/** Writes movements: 1 USD comes, then a cent goes nine times, and so on; and holds that were released. */
async function move(db: Db, accountId: string, count: number): Promise<void> {
  const models = modelList();
  await db.execute(sql`
    with moved as (
      select gen_random_uuid() as id, n, n % 10 = 1 as is_credit from generate_series(1, ${count}::int) n
    ), written as (
      insert into transfers (id, kind, idempotency_key, reference)
      select id, case when is_credit then 'top_up' else 'adjustment' end::transfer_kind, id::text, 'crowd' from moved
    )
    insert into entries (transfer_id, ledger_account_id, amount_micro_usd, category)
    select moved.id, ledger.id,
      case when is_credit then 1000000 else -10000 end * case when ledger.kind = 'wallet' then 1 else -1 end,
      case when ledger.kind = 'wallet' and not is_credit then (${models})[n % ${MODELS.length} + 1] end
    from moved, ledger_accounts ledger
    where ledger.owner_id = ${accountId} or ledger.kind = 'funding'`);
  await db.execute(sql`
    insert into holds (ledger_account_id, amount_micro_usd, reference)
    select id, 1, gen_random_uuid()::text from ledger_accounts, generate_series(1, ${count}::int / 5)
    where owner_id = ${accountId}`);
  await db.execute(sql`
    update holds set state = 'released', settled_at = now()
    where state = 'open' and ledger_account_id = (select id from ledger_accounts where owner_id = ${accountId})`);
}

function modelList() {
  return sql.raw(`array[${MODELS.map((id) => `'${id}'`).join(', ')}]`);
}
