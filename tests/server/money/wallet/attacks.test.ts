import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../../server/base/database/db.ts';
import { openWallet, readBalance, reconcileBalances, topUp } from '../../../../server/money/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';
import { capture, hold } from '../../../support/service/move-money.ts';

let database: TestDatabase;
let db: Db;
let accountId: string;
let walletId: string;
let openHold: string;
let capturedHold: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

beforeEach(async () => {
  [accountId, openHold, capturedHold] = [randomUUID(), randomUUID(), randomUUID()];
  await openWallet(db, accountId);
  await topUp(db, { accountId, amount: 1000n, idempotencyKey: randomUUID(), reference: 'test' });
  await hold(db, { accountId, amount: 300n, reference: openHold });
  await hold(db, { accountId, amount: 200n, reference: capturedHold });
  await capture(db, { reference: capturedHold, amount: 150n });
  const [wallet] = await db.$client`select id from ledger_accounts where owner_id = ${accountId}`;
  walletId = wallet?.id;
});

/** Checks that the attack fails as a whole, for the expected reason, and moves no money. */
async function expectRefused(attack: string, reason: RegExp): Promise<void> {
  const statements = attack
    .replaceAll(':wallet', `'${walletId}'`)
    .replaceAll(':open', `'${openHold}'`)
    .replaceAll(':captured', `'${capturedHold}'`)
    .replaceAll(':new', "'00000000-0000-4000-8000-000000000001'")
    .replaceAll(':house', "(select id from ledger_accounts where kind = 'revenue')");
  await expect(db.$client.begin((sql) => sql.unsafe(statements))).rejects.toThrow(reason);
  expect(await readBalance(db, accountId)).toEqual({ balance: 850n, held: 300n, available: 550n });
  expect(await reconcileBalances(db)).toEqual({ ok: true, faults: [] });
}

const transfer = (kind: string) =>
  `insert into transfers (id, kind, idempotency_key, reference) values (:new, '${kind}', 'x', 'x');`;
const entry = (account: string, amount: number) =>
  `insert into entries (transfer_id, ledger_account_id, amount_micro_usd) values (:new, ${account}, ${amount});`;
const lateEntry = (account: string, amount: number) =>
  `insert into entries (transfer_id, ledger_account_id, amount_micro_usd)
    select transfer_id, ${account}, ${amount} from holds where reference = :captured;`;
const newHold = (account: string, amount: number, reference = "'x'") =>
  `insert into holds (ledger_account_id, amount_micro_usd, reference) values (${account}, ${amount}, ${reference});`;
const settle = (what: string, reference: string) =>
  `update holds set settled_at = now(), ${what} where reference = ${reference};`;

describe('the database rejects', () => {
  test.each([
    ['a balance', 'update ledger_accounts set balance_micro_usd = 9999 where id = :wallet'],
    ['what is held', 'update ledger_accounts set held_micro_usd = 0 where id = :wallet'],
    ['both', 'update ledger_accounts set balance_micro_usd = 0, held_micro_usd = 0'],
    ['an owner', 'update ledger_accounts set owner_id = gen_random_uuid() where id = :wallet'],
  ])('an attempt to set %s', (_, attack) =>
    expectRefused(attack, /balance and held follow from entries and holds/),
  );

  test.each([
    ['delete a wallet', 'delete from ledger_accounts where id = :wallet', /kept for ever/],
    ['delete a hold', 'delete from holds where reference = :open', /kept for ever/],
    ['delete an entry', 'delete from entries where ledger_account_id = :wallet', /append only/],
    ['delete a transfer', 'delete from transfers where reference = :captured', /append only/],
    ['change an entry', 'update entries set amount_micro_usd = 1', /append only/],
    ['change a transfer', "update transfers set reference = 'other'", /append only/],
    ['empty the entries', 'truncate entries', /append only/],
    ['empty the transfers', 'truncate transfers cascade', /append only|kept for ever/],
    ['empty the holds', 'truncate holds', /kept for ever/],
    ['empty the wallets', 'truncate ledger_accounts cascade', /append only|kept for ever/],
  ])('an attempt to %s', (_, attack, reason) => expectRefused(attack, reason));

  const another = 'insert into ledger_accounts (kind, owner_id, balance_micro_usd) values';
  test.each([
    ['that starts with money', `${another} ('wallet', gen_random_uuid(), 5)`, /starts empty/],
    [
      'after the first',
      `${another} ('wallet', (select owner_id from ledger_accounts where id = :wallet), 0)`,
      /ledger_accounts_owner/,
    ],
    ['without an owner', `${another} ('wallet', null, 0)`, /ledger_accounts_wallet_owned/],
    ['of the house in addition to its own', `${another} ('revenue', null, 0)`, /ledger_accounts_house/],
  ])('a wallet %s', (_, attack, reason) => expectRefused(attack, reason));

  const adjustment = transfer('adjustment');
  test.each([
    ['to nowhere', adjustment + entry('gen_random_uuid()', 5), /there is no ledger account/],
    ['without entries', adjustment, /has 0 entries/],
    ['with one entry', adjustment + entry(':wallet', 5), /has 1 entries/],
    ['that makes money', adjustment + entry(':wallet', 5) + entry(':house', -4), /sum to 1:/],
    ['that loses money', adjustment + entry(':wallet', -5) + entry(':house', 4), /sum to -1:/],
    ['of nothing', adjustment + entry(':wallet', 0) + entry(':house', 0), /entries_not_zero/],
    ['that overdraws', adjustment + entry(':wallet', -851) + entry(':house', 851), /no_overdraft/],
    ['of money that is held', adjustment + entry(':wallet', -551) + entry(':house', 551), /no_overdraft/],
    [
      'that captures no hold',
      transfer('capture') + entry(':wallet', -5) + entry(':house', 5),
      /captures no hold/,
    ],
    [
      'that grows after it was checked',
      `${adjustment}${entry(':wallet', 5)}${entry(':house', -5)}set constraints all immediate;${entry(':wallet', 7)}`,
      /has 3 entries that sum to 7:/,
    ],
    [
      'twice',
      adjustment + adjustment.replace(':new', 'gen_random_uuid()'),
      /transfers_idempotency_key_unique/,
    ],
    ['that grows after its transaction', lateEntry(':wallet', 5) + lateEntry(':house', -5), /is closed/],
  ])('a transfer %s', (_, attack, reason) => expectRefused(attack, reason));

  const captureByNew = settle("state = 'captured', transfer_id = :new", ':open');
  const captureByOther = `state = 'captured', transfer_id = (select transfer_id from holds where reference = :captured)`;
  test.each([
    [
      'that starts released',
      newHold(':wallet', 5).replace(')', ', state, settled_at)').replace(/\);$/, ", 'released', now());"),
      /starts open/,
    ],
    ['of the money of no account', newHold('gen_random_uuid()', 5), /there is no ledger account/],
    ['of nothing', newHold(':wallet', 0), /holds_positive/],
    ['of less than nothing', newHold(':wallet', -5), /holds_positive/],
    ['of more than is available', newHold(':wallet', 551), /no_overdraft/],
    ['of the money of the house', newHold(':house', 5), /no_overdraft/],
    ['for a reference that had one', newHold(':wallet', 5, ':captured'), /holds_reference_unique/],
    ['that shrinks', 'update holds set amount_micro_usd = 1 where reference = :open', /changes once/],
    [
      'that shrinks as it is released',
      settle("state = 'released', amount_micro_usd = 1", ':open'),
      /changes once/,
    ],
    [
      'that opens again',
      "update holds set state = 'open', settled_at = null, transfer_id = null where reference = :captured",
      /changes once/,
    ],
    [
      'that is released after its capture',
      settle("state = 'released', transfer_id = null", ':captured'),
      /changes once/,
    ],
    ['that is captured without a transfer', settle("state = 'captured'", ':open'), /captured_by_transfer/],
    ["that is captured by another's transfer", settle(captureByOther, ':open'), /holds_transfer_id_unique/],
    [
      'that is captured by more than it',
      transfer('capture') + captureByNew + entry(':wallet', -301) + entry(':house', 301),
      /captures no hold, or more than it/,
    ],
    [
      'that is captured to its owner',
      transfer('capture') + captureByNew + entry(':wallet', 1) + entry(':house', -1),
      /captures no hold, or more than it/,
    ],
    [
      'that is captured by another kind of transfer',
      adjustment + captureByNew + entry(':wallet', -1) + entry(':house', 1),
      /is no capture/,
    ],
  ])('a hold %s', (_, attack, reason) => expectRefused(attack, reason));
});

test('reconcile finds changes made with the triggers disabled', async () => {
  const own = await db.$client.reserve();
  await own`set session_replication_role = replica`;
  await own`update ledger_accounts set balance_micro_usd = balance_micro_usd + 7 where id = ${walletId}`;
  await own`update holds set state = 'released', settled_at = now() where reference = ${openHold}`;
  await own`delete from entries where ledger_account_id = ${walletId} and amount_micro_usd < 0`;
  await own`set session_replication_role = default`;
  own.release();
  expect(await reconcileBalances(db)).toEqual({
    ok: false,
    faults: [
      `wallet ${walletId}: balance 857, entries sum to 1000`,
      `wallet ${walletId}: held 300, open holds sum to 0`,
      expect.stringMatching(/^transfer .*: 1 entries, sum 150$/),
      `hold ${capturedHold}: captured, but not by a transfer of at most 200`,
    ],
  });
});
