-- What holds for money whoever writes to these tables. Kept here by hand, as the schema language can't say it.

create function refuse() returns trigger language plpgsql as $$
begin
  raise exception '% on % refused: %', lower(tg_op), tg_table_name, tg_argv[0] using errcode = 'integrity_constraint_violation';
end $$;

create trigger transfers_append_only before update or delete or truncate on transfers
  for each statement execute function refuse('the ledger is append only');
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse('the ledger is append only');
create trigger holds_kept before delete or truncate on holds
  for each statement execute function refuse('a hold is kept for ever');
create trigger ledger_accounts_kept before delete or truncate on ledger_accounts
  for each statement execute function refuse('a ledger account is kept for ever');

-- A wallet's two sums are written by the triggers below, which run one level down, and by nothing else.
create trigger ledger_accounts_start_empty before insert on ledger_accounts
  for each row when (new.balance_micro_usd <> 0 or new.held_micro_usd <> 0)
  execute function refuse('a ledger account starts empty');
create trigger ledger_accounts_sums before update on ledger_accounts
  for each row when (pg_trigger_depth() = 0
    or (new.id, new.kind, new.owner_id) is distinct from (old.id, old.kind, old.owner_id))
  execute function refuse('balance and held follow from entries and holds');

create function write_entry() returns trigger language plpgsql as $$
begin
  if not exists (select from transfers where id = new.transfer_id and written_in = pg_current_xact_id()) then
    raise exception 'transfer % is closed: entries come in its own transaction', new.transfer_id
      using errcode = 'integrity_constraint_violation';
  end if;
  update ledger_accounts set balance_micro_usd = balance_micro_usd + new.amount_micro_usd
    where id = new.ledger_account_id and kind = 'wallet';
  if not found and not exists (
    select from ledger_accounts where id = new.ledger_account_id and kind <> 'wallet'
  ) then
    raise exception 'entry refused: there is no ledger account %', new.ledger_account_id
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger entries_write after insert on entries for each row execute function write_entry();

create trigger holds_start_open before insert on holds
  for each row when (new.state <> 'open') execute function refuse('a hold starts open');
create trigger holds_settle_once before update on holds
  for each row when (old.state <> 'open' or new.state = 'open'
    or (new.id, new.ledger_account_id, new.amount_micro_usd, new.reference)
      is distinct from (old.id, old.ledger_account_id, old.amount_micro_usd, old.reference))
  execute function refuse('a hold changes once, from open to captured or released');

create function write_hold() returns trigger language plpgsql as $$
begin
  update ledger_accounts
    set held_micro_usd = held_micro_usd
      + case new.state when 'open' then new.amount_micro_usd else -new.amount_micro_usd end
    where id = new.ledger_account_id;
  if not found then
    raise exception 'hold % refused: there is no ledger account %', new.reference, new.ledger_account_id
      using errcode = 'foreign_key_violation';
  end if;
  if new.state = 'captured' and (select kind from transfers where id = new.transfer_id) <> 'capture' then
    raise exception 'hold % refused: transfer % is no capture', new.reference, new.transfer_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger holds_write after insert or update on holds for each row execute function write_hold();

-- Looked at when the transaction commits, so that a transfer, its entries and its hold may come in any order.
create function check_transfer(checked_id uuid) returns void language plpgsql as $$
declare
  entry_count bigint;
  total numeric;
begin
  select count(*), sum(amount_micro_usd) into entry_count, total from entries where transfer_id = checked_id;
  if entry_count < 2 or total <> 0 then
    raise exception 'transfer % has % entries that sum to %: at least 2 must sum to 0', checked_id, entry_count, total
      using errcode = 'integrity_constraint_violation';
  end if;
  if (select kind = 'capture' from transfers where id = checked_id) and not exists (
    select from holds join entries using (transfer_id, ledger_account_id)
      where transfer_id = checked_id and -entries.amount_micro_usd between 1 and holds.amount_micro_usd
  ) then
    raise exception 'transfer % captures no hold, or more than it', checked_id
      using errcode = 'integrity_constraint_violation';
  end if;
end $$;

create function check_new_transfer() returns trigger language plpgsql as $$
begin
  perform check_transfer(new.id);
  return null;
end $$;
create constraint trigger transfers_balance after insert on transfers
  deferrable initially deferred for each row execute function check_new_transfer();

create function check_transfer_of_entry() returns trigger language plpgsql as $$
begin
  perform check_transfer(new.transfer_id);
  return null;
end $$;
create constraint trigger entries_balance after insert on entries
  deferrable initially deferred for each row execute function check_transfer_of_entry();

insert into ledger_accounts (kind) values ('funding'), ('revenue');

-- Token buckets may be lost in a crash, and must be fast.
alter table rate_limits set unlogged;
