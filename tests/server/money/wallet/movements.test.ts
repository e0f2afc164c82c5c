import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openWallet,
  readBalance,
  reconcileBalances,
  release,
  topUp,
} from '../../../../server/money/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';
import { capture, hold } from '../../../support/service/move-money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ connectionsMax: 50 });
});
afterAll(async () => {
  expect(await reconcileBalances(database.db)).toEqual({ ok: true, faults: [] });
  await database.drop();
});

async function walletWith(amount: bigint): Promise<string> {
  const accountId = randomUUID();
  await openWallet(database.db, accountId);
  if (amount > 0n) {
    await topUp(database.db, { accountId, amount, idempotencyKey: randomUUID(), reference: 'test' });
  }
  return accountId;
}

describe('top-up', () => {
  test('is added to the balance once, however often and concurrently it is repeated', async () => {
    const accountId = await walletWith(0n);
    const payment = { accountId, amount: 5_000_000n, idempotencyKey: randomUUID(), reference: 'payment' };
    const all = await Promise.all(Array.from({ length: 20 }, () => topUp(database.db, payment)));
    expect(all.filter((one) => !one.replayed)).toHaveLength(1);
    expect(new Set(all.map((one) => one.transferId)).size).toBe(1);
    expect(await readBalance(database.db, accountId)).toEqual({
      balance: 5_000_000n,
      held: 0n,
      available: 5_000_000n,
    });
  });

  test('rejects a key that was used for another amount or wallet', async () => {
    const accountId = await walletWith(0n);
    const payment = { accountId, amount: 10n, idempotencyKey: randomUUID(), reference: 'payment' };
    await topUp(database.db, payment);
    await expect(topUp(database.db, { ...payment, amount: 11n })).rejects.toMatchObject({ code: 'conflict' });
    await expect(topUp(database.db, { ...payment, accountId: await walletWith(0n) })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('rejects amounts that are not above 0, and accounts without a wallet', async () => {
    const payment = { accountId: randomUUID(), idempotencyKey: randomUUID(), reference: 'payment' };
    await expect(topUp(database.db, { ...payment, amount: 0n })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(topUp(database.db, { ...payment, amount: -1n })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(topUp(database.db, { ...payment, amount: 1n })).rejects.toMatchObject({ code: 'not_found' });
    await expect(readBalance(database.db, payment.accountId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('hold', () => {
  test('reserves money without moving it', async () => {
    const accountId = await walletWith(100n);
    await hold(database.db, { accountId, amount: 60n, reference: randomUUID() });
    expect(await readBalance(database.db, accountId)).toEqual({ balance: 100n, held: 60n, available: 40n });
  });

  test('of more than is available is rejected with the reason', async () => {
    const accountId = await walletWith(100n);
    await hold(database.db, { accountId, amount: 60n, reference: randomUUID() });
    await expect(
      hold(database.db, { accountId, amount: 41n, reference: randomUUID() }),
    ).rejects.toMatchObject({
      code: 'insufficient_balance',
      message: expect.stringContaining('wallet balance is too low'),
    });
    await hold(database.db, { accountId, amount: 40n, reference: randomUUID() });
  });

  test('accepts a reference once', async () => {
    const accountId = await walletWith(100n);
    const one = { accountId, amount: 1n, reference: randomUUID() };
    await hold(database.db, one);
    await expect(hold(database.db, one)).rejects.toMatchObject({ code: 'conflict' });
    await release(database.db, one);
    await expect(hold(database.db, one)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('of 200 concurrent requests against a balance for 50, exactly 50 are granted', async () => {
    const accountId = await walletWith(100_000n);
    const all = await Promise.allSettled(
      Array.from({ length: 200 }, () =>
        hold(database.db, { accountId, amount: 2_000n, reference: randomUUID() }),
      ),
    );
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(Array(150).fill('insufficient_balance'));
    expect(await readBalance(database.db, accountId)).toEqual({
      balance: 100_000n,
      held: 100_000n,
      available: 0n,
    });
  });

  test('leaves nothing behind when its transaction is rolled back', async () => {
    const accountId = await walletWith(100n);
    const transaction = database.db.transaction(async (tx) => {
      await hold(tx, { accountId, amount: 60n, reference: randomUUID() });
      throw new Error('change of mind');
    });
    await expect(transaction).rejects.toThrow('change of mind');
    expect(await readBalance(database.db, accountId)).toMatchObject({ held: 0n });
  });
});

describe('capture and release', () => {
  test('capture charges the amount and releases the rest', async () => {
    const accountId = await walletWith(100n);
    const reference = randomUUID();
    await hold(database.db, { accountId, amount: 60n, reference });
    await capture(database.db, { reference, amount: 45n });
    expect(await readBalance(database.db, accountId)).toEqual({ balance: 55n, held: 0n, available: 55n });
  });

  test('capture works on a wallet that is fully held', async () => {
    const accountId = await walletWith(100n);
    const reference = randomUUID();
    await hold(database.db, { accountId, amount: 100n, reference });
    await capture(database.db, { reference, amount: 100n });
    expect(await readBalance(database.db, accountId)).toEqual({ balance: 0n, held: 0n, available: 0n });
  });

  test('capture of more than is held, of nothing, or without a hold is rejected', async () => {
    const accountId = await walletWith(100n);
    const reference = randomUUID();
    await hold(database.db, { accountId, amount: 60n, reference });
    await expect(capture(database.db, { reference, amount: 61n })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(capture(database.db, { reference, amount: 0n })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(capture(database.db, { reference: 'none', amount: 1n })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await readBalance(database.db, accountId)).toMatchObject({ balance: 100n, held: 60n });
  });

  test('of 20 concurrent captures and 20 releases of one hold, one takes effect', async () => {
    const accountId = await walletWith(100n);
    const reference = randomUUID();
    await hold(database.db, { accountId, amount: 60n, reference });
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) =>
        i % 2 ? release(database.db, { reference }) : capture(database.db, { reference, amount: 60n }),
      ),
    );
    expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    const losers = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(losers).toEqual(Array(39).fill('conflict'));
    const after = await readBalance(database.db, accountId);
    expect(after.held).toBe(0n);
    expect(after.balance).toBe(all.findIndex((one) => one.status === 'fulfilled') % 2 ? 100n : 40n);
  });
});
