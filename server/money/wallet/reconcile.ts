import { sql } from 'drizzle-orm';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/**
 * Recomputes all balances from entries and holds and compares. The database refuses whatever would break them, so a
 * fault means damage or a bug there. One snapshot; reads the whole ledger.
 * @returns a sentence for each fault
 */
export async function reconcileBalances(db: Executor): Promise<{ ok: boolean; faults: string[] }> {
  const rows = await db.execute<{ fault: string }>(
    readOnly(sql`
    with booked as (
      select ledger_account_id, sum(amount_micro_usd) as total from entries group by 1
    ), reserved as (
      select ledger_account_id, sum(amount_micro_usd) as total from holds where state = 'open' group by 1
    ), summed as (
      select transfer_id, count(*) as entry_count, sum(amount_micro_usd) as total from entries group by 1
    )
    select format('wallet %s: balance %s, entries sum to %s', id, balance_micro_usd, coalesce(total, 0)) as fault
      from ledger_accounts left join booked on ledger_account_id = id
      where kind = 'wallet' and balance_micro_usd <> coalesce(total, 0)
    union all
    select format('wallet %s: held %s, open holds sum to %s', id, held_micro_usd, coalesce(total, 0))
      from ledger_accounts left join reserved on ledger_account_id = id
      where held_micro_usd <> coalesce(total, 0)
    union all
    select format('transfer %s: %s entries, sum %s', id, coalesce(entry_count, 0), total)
      from transfers left join summed on transfer_id = id
      where coalesce(entry_count, 0) < 2 or total <> 0
    union all
    select format('hold %s: captured, but not by a transfer of at most %s', holds.reference, amount_micro_usd)
      from holds where state = 'captured' and not exists (
        select from entries where entries.transfer_id = holds.transfer_id
          and entries.ledger_account_id = holds.ledger_account_id
          and -entries.amount_micro_usd between 1 and holds.amount_micro_usd)`),
  );
  const faults = rows.map((row) => row.fault);
  return { ok: faults.length === 0, faults };
}
