import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../server/base/database/db.ts';

/** Numbers of rows in the tables of a service. */
export interface ServiceSize {
  /** Jobs of the last 31 days, queued ones included. */
  readonly jobs: number;
  readonly accounts: number;
  /** Jobs that wait for a runner. */
  readonly queued: number;
}

/** Tables that are filled whole: emptied and filled in one transaction, they need no write-ahead log. */
const TABLES = [
  ...['jobs', 'files', 'batch_items', 'transfers', 'entries', 'holds', 'queue_entries', 'queue_turns'],
  ...['webhook_deliveries', 'webhook_delivery_attempts', 'idempotency_keys', 'uploads'],
];
/** Price of every job, in micro-USD. */
const PRICE = 2000;
/** Share of the jobs that a runner works on. */
const RUNNING_PART = 2000;

/**
 * Fills an empty service: jobs of 31 days in every state, spread unevenly over accounts and operations, and what
 * belongs to them. Their files are rows only; the ledger is consistent.
 * @param db without a limit on its statements
 */
export async function fillTables(db: Db, size: ServiceSize): Promise<void> {
  await db.transaction(async (tx) => {
    // Triggers and foreign keys would look at each row; the statements here keep them.
    await tx.execute(sql`select set_config('session_replication_role', 'replica', true), setseed(0.5)`);
    await tx.execute(sql.raw(`truncate ${TABLES.join(', ')}`));
    const indexes = await dropIndexes(tx);
    for (const statement of [...accounts(size), ...jobs(size), ...ledger(), ...sideTables(size)])
      await tx.execute(statement);
    for (const definition of indexes) await tx.execute(sql.raw(definition));
  });
  await db.$client.unsafe('vacuum (analyze)');
}

/** Drops all indexes but those of keys. @returns the statements that make them again */
async function dropIndexes(tx: Tx): Promise<string[]> {
  const rows = await tx.execute<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = any(string_to_array(${TABLES.join(',')}, ','))
      and indexname not in (select conname from pg_constraint)`);
  for (const { name } of rows) await tx.execute(sql.raw(`drop index ${name}`));
  return rows.map(({ definition }) => definition);
}

function accounts({ accounts: count }: ServiceSize): SQL[] {
  return [
    sql`create temporary table drawn on commit drop as select n, gen_random_uuid() as account_id,
      gen_random_uuid() as key_id, gen_random_uuid() as wallet_id from generate_series(0, ${count}::int - 1) n`,
    sql`insert into accounts (id, email) select account_id, concat('scale-', n, '@example.com') from drawn`,
    sql`insert into users (account_id, name, email) select account_id, 'Scale', concat('scale-', n, '@example.com')
      from drawn`,
    sql`insert into api_keys (id, account_id, name, prefix, sha256)
      select key_id, account_id, 'scale', 'mk_scale', sha256(key_id::text::bytea) from drawn`,
    sql`insert into ledger_accounts (id, kind, owner_id) select wallet_id, 'wallet', account_id from drawn`,
    sql`insert into runners (id, host) values ('filled', 'filled')`,
  ];
}

/** A cube puts a twentieth of the jobs on the first of 10 thousand accounts, and few on most. */
function jobs({ jobs: count, accounts: accountCount, queued }: ServiceSize): SQL[] {
  const firstQueued = count - queued;
  return [
    sql`insert into jobs (id, account_id, key_id, operation_id, params, facts, status, attempt, progress,
        held_micro_usd, charged_micro_usd, error, error_code, engine, details, webhook_url, created_at, updated_at,
        started_at, completed_at)
      select concat(operation, '_', replace(uuidv7(at - now())::text, '-', '')), account_id, key_id, operation,
        '{"to_format": "webp", "quality": 80}', '{"width": 1200, "height": 800, "format": "jpg", "pages": 1}',
        status::job_status, (not is_waiting)::int, (not is_waiting)::int, ${PRICE},
        case when status = 'COMPLETED' then ${PRICE} else 0 end,
        case when status in ('FAILED', 'ERROR') then 'The file is no image.' end,
        case when status in ('FAILED', 'ERROR') then 'bad_input' end,
        case when status = 'COMPLETED' then 'codec' end,
        case when status = 'COMPLETED' then '{"processing_ms": 812}'::jsonb end,
        case when stated.n % 10 = 0 then 'https://example.com/hook' end,
        at, at, case when not is_waiting then at end, case when is_ended then at + interval '2 seconds' end
      from (
        select *, case when is_waiting then 'QUEUED' when not is_ended then 'PROCESSING'
          when n % 50 = 7 then 'ERROR' when n % 20 = 3 then 'FAILED' else 'COMPLETED' end as status
        from (
          select n, n >= ${firstQueued}::int as is_waiting,
            n < ${firstQueued}::int - ${count}::int / ${RUNNING_PART}::int as is_ended,
            floor(power(random(), 3) * ${accountCount}::int)::int as account,
            (array['media-convert-image', 'media-convert-image', 'media-convert-image', 'remove-bg', 'remove-bg',
              'remove-bg', 'upscale', 'upscale', 'image-moderation', 'audio-separate-stems'])[1 + floor(random() * 10)::int]
              as operation,
            case when n >= ${firstQueued}::int
              then now() - (${count}::int - n) * interval '5 hours' / ${Math.max(queued, 1)}::int
              else now() - interval '5 hours' - (${firstQueued}::int - n) * interval '31 days' / ${firstQueued}::int
            end as at
          from generate_series(0, ${count}::int - 1) n
        ) random_jobs
      ) stated join drawn on drawn.n = account
      order by at`,
    sql`insert into files (key, job_id, role, position, name, media_type, bytes, sha256, created_at, expires_at,
        deleted_at)
      select concat(case when is_output then 'outputs/' else 'inputs/' end, id, '/file'), id,
        case when is_output then 'output' else 'input' end::file_role, 0, 'file.webp', 'image/webp', 150000,
        sha256(id::bytea), created_at, expires, case when expires < now() then expires end
      from jobs, lateral (select status = 'COMPLETED' as is_output, case when status = 'COMPLETED'
        then created_at + interval '24 hours' else coalesce(completed_at, now() + interval '30 days') end as expires) x`,
    sql`insert into queue_entries (id, lane, account_id, run_at, locked_by)
      select id, case operation_id when 'image-moderation' then 'verdict' when 'audio-separate-stems' then 'long'
        else 'interactive' end, account_id, created_at, case when status = 'PROCESSING' then 'filled' end
      from jobs where status in ('QUEUED', 'PROCESSING') order by created_at`,
    sql`insert into queue_turns (lane, account_id, taken_at)
      select lane, account_id, now() - random() * interval '5 hours'
      from drawn, (values ('interactive'), ('verdict'), ('long')) lanes (lane)`,
  ];
}

/** Books what each job has moved, one top-up for each account, and the sums that triggers would have kept. */
function ledger(): SQL[] {
  return [
    sql`insert into transfers (id, kind, idempotency_key, reference, created_at)
      select md5(wallet_id::text)::uuid, 'top_up', concat('top_up:', wallet_id), 'scale', now() - interval '31 days'
      from drawn`,
    sql`insert into transfers (id, kind, idempotency_key, reference, created_at)
      select md5(id)::uuid, 'capture', concat('capture:', id), id, completed_at from jobs where status = 'COMPLETED'`,
    sql`insert into entries (transfer_id, ledger_account_id, amount_micro_usd)
      select md5(wallet_id::text)::uuid, account, amount from drawn, lateral (values (wallet_id, 1000000000),
        ((select id from ledger_accounts where kind = 'funding'), -1000000000)) moved (account, amount)`,
    sql`insert into entries (transfer_id, ledger_account_id, amount_micro_usd, category)
      select md5(id)::uuid, account, amount, category
      from jobs join drawn using (account_id), lateral (values (wallet_id, -${PRICE}::int, operation_id),
        ((select id from ledger_accounts where kind = 'revenue'), ${PRICE}::int, null)) moved (account, amount, category)
      where status = 'COMPLETED'`,
    sql`insert into holds (ledger_account_id, amount_micro_usd, state, reference, transfer_id, created_at, settled_at)
      select wallet_id, held_micro_usd, case status when 'COMPLETED' then 'captured' when 'QUEUED' then 'open'
        when 'PROCESSING' then 'open' else 'released' end::hold_state, id,
        case when status = 'COMPLETED' then md5(id)::uuid end, created_at, completed_at
      from jobs join drawn using (account_id)`,
    sql`update ledger_accounts set balance_micro_usd = total from (
        select ledger_account_id, sum(amount_micro_usd) as total from entries group by 1) booked
      where id = ledger_account_id and kind = 'wallet'`,
    sql`update ledger_accounts set held_micro_usd = total from (
        select ledger_account_id, sum(amount_micro_usd) as total from holds where state = 'open' group by 1) reserved
      where id = ledger_account_id`,
  ];
}

function sideTables({ jobs: count }: ServiceSize): SQL[] {
  return [
    sql`insert into webhook_deliveries (account_id, reference, url, body, state, attempts, created_at)
      select account_id, id, webhook_url, repeat('{"status": "COMPLETED"}', 20),
        case when hashtext(id) % 30 = 0 then 'failed' else 'delivered' end::delivery_state, 1, completed_at
      from jobs where webhook_url is not null and completed_at is not null`,
    sql`insert into webhook_delivery_attempts (delivery_id, attempt, at, duration_ms, response_status)
      select id, 1, created_at, 40, case state when 'failed' then 500 else 200 end from webhook_deliveries`,
    sql`insert into idempotency_keys (account_id, key, fingerprint, locked_until, response_status, response_body,
        created_at)
      select account_id, id, sha256(id::bytea), created_at, 202, '{}', created_at
      from jobs where created_at > now() - interval '24 hours'`,
    sql`insert into uploads (token, account_id, bytes, sha256, expires_at)
      select gen_random_uuid()::text, account_id, 1000, '', now() + random() * interval '1 hour'
      from drawn, generate_series(0, ${count}::int / 100000)`,
    sql`insert into audit_events (account_id, action, subject, created_at)
      select account_id, 'sign-in', null, now() - random() * interval '365 days' from drawn, generate_series(1, 10)`,
    sql`insert into payments (id, account_id, state, due_micro_usd, credited_micro_usd, created_at)
      select concat('pi_', n), account_id, 'paid', 0, 0, now() - interval '31 days' from drawn`,
    sql`insert into payment_events (id, type, received_at)
      select concat('evt_', n), 'payment_intent.succeeded', now() - random() * interval '31 days' from drawn`,
    sql`insert into key_spending (key_id, month, spent_micro_usd)
      select key_id, to_char(now() at time zone 'UTC', 'YYYY-MM'), ${PRICE}::bigint * 1000000 from drawn`,
  ];
}
