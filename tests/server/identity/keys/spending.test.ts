import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Executor, schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../../server/identity/keys/index.ts';
import { refundSpending, reserve } from '../../../../server/money/spending/index.ts';
import { topUp } from '../../../../server/money/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase({ connectionsMax: 20 });
  ({ accountId } = await openAccount(database.db, 'spending@example.com'));
  await topUp(database.db, {
    accountId,
    amount: 10n ** 13n,
    idempotencyKey: 'spending',
    reference: 'spending',
  });
});
afterAll(() => database.drop());

async function keyWithCap(monthlyCap?: bigint): Promise<string> {
  const cap = monthlyCap === undefined ? {} : { monthlyCap };
  return (await issueKey(database.db, { accountId, name: 'test', ...cap })).keyId;
}

async function spend(of: { keyId: string; amount: bigint }, db: Executor = database.db): Promise<void> {
  await reserve(db, { ...of, accountId, reference: randomUUID() });
}

async function spent(keyId: string): Promise<{ month: string; spent: bigint }[]> {
  const { month, spent } = schema.keySpending;
  return database.db
    .select({ month, spent })
    .from(schema.keySpending)
    .where(eq(schema.keySpending.keyId, keyId));
}

test('a key spends up to its monthly cap, even with concurrent requests', async () => {
  const keyId = await keyWithCap(100n);
  const all = await Promise.allSettled(Array.from({ length: 60 }, () => spend({ keyId, amount: 3n })));
  expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(33);
  expect(await spent(keyId)).toMatchObject([{ spent: 99n }]);
});

test('the error names the monthly cap', async () => {
  const keyId = await keyWithCap(100n);
  await expect(spend({ keyId, amount: 101n })).rejects.toMatchObject({
    code: 'insufficient_balance',
    message: expect.stringContaining('monthly cap'),
  });
  await spend({ keyId, amount: 100n });
  await expect(spend({ keyId, amount: 1n })).rejects.toMatchObject({
    code: 'insufficient_balance',
  });
});

test('the spending of a key without a cap is counted and never rejected', async () => {
  const keyId = await keyWithCap();
  await spend({ keyId, amount: 10n ** 12n });
  await spend({ keyId, amount: 1n });
  expect(await spent(keyId)).toMatchObject([{ spent: 10n ** 12n + 1n }]);
});

test('a refund is booked in the month of its reservation', async () => {
  const keyId = await keyWithCap(100n);
  await spend({ keyId, amount: 60n });
  const [now] = await database.db.execute<{ at: string }>(sql`select now() as at`);
  await database.db.insert(schema.keySpending).values({ keyId, month: '2024-02', spent: 50n });
  await refundSpending(database.db, { keyId, amount: 20n, at: new Date('2024-02-29T23:59:59.999Z') });
  await refundSpending(database.db, { keyId, amount: 60n, at: new Date(now?.at ?? 0) });
  const rows = await spent(keyId);
  expect(rows.find((row) => row.month === '2024-02')?.spent).toBe(30n);
  expect(rows.find((row) => row.month !== '2024-02')?.spent).toBe(0n);
});

test('a reservation is rolled back with its transaction', async () => {
  const keyId = await keyWithCap(100n);
  await database.db
    .transaction(async (tx) => {
      await spend({ keyId, amount: 60n }, tx);
      throw new Error('change of mind');
    })
    .catch(() => undefined);
  expect(await spent(keyId)).toEqual([]);
});
