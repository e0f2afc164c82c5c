import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import type { Executor } from '../../../../server/base/database/db.ts';
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
  database = await createTestDatabase({ connectionsMax: 30 });
});
afterAll(() => database.drop());

const KINDS = ['topUp', 'hold', 'hold', 'capture', 'capture', 'release'] as const;
/** `name` is a hold's reference and a top-up's idempotency key. */
interface Movement {
  readonly kind: (typeof KINDS)[number];
  readonly wallet: number;
  readonly name: number;
  readonly amount: bigint;
}
/** Movements of one database transaction, and whether it is rolled back at its end. */
interface Transaction {
  readonly movements: readonly Movement[];
  readonly rolledBack: boolean;
}

/** Few wallets and few names, so that movements collide. */
const movement: fc.Arbitrary<Movement> = fc.record({
  kind: fc.constantFrom(...KINDS),
  wallet: fc.nat({ max: 1 }),
  name: fc.nat({ max: 9 }),
  amount: fc.bigInt({ min: 1n, max: 80n }),
});
const transaction: fc.Arbitrary<Transaction> = fc.record({
  movements: fc.array(movement, { minLength: 1, maxLength: 2 }),
  rolledBack: fc.nat({ max: 4 }).map((n) => n === 0),
});

/** Money for a few holds, and holds for the first names. */
const BEFORE: readonly Movement[] = [
  ...[0, 1].map((wallet) => ({ kind: 'topUp', wallet, name: 100 + wallet, amount: 300n }) as const),
  ...[0, 1, 2, 3, 4].map((name) => ({ kind: 'hold', wallet: name % 2, name, amount: 60n }) as const),
];

/** Round with its own wallets and references. */
interface Round {
  readonly id: string;
  readonly accountIds: readonly string[];
}

async function move(db: Executor, round: Round, { kind, wallet, name, amount }: Movement): Promise<boolean> {
  const accountId = round.accountIds[wallet] ?? '';
  const reference = `${round.id} ${name}`;
  if (kind === 'hold') await hold(db, { accountId, amount, reference });
  if (kind === 'capture') await capture(db, { reference, amount });
  if (kind === 'release') await release(db, { reference });
  if (kind !== 'topUp') return true;
  const { replayed } = await topUp(db, { accountId, amount, idempotencyKey: reference, reference });
  return !replayed;
}

class RolledBack extends Error {}

/**
 * Runs a transaction.
 * @returns the effective movements: all of them or, when one was rejected, none
 */
async function run(round: Round, { movements, rolledBack }: Transaction): Promise<Movement[]> {
  try {
    return await database.db.transaction(async (tx) => {
      const done: Movement[] = [];
      for (const one of movements) if (await move(tx, round, one)) done.push(one);
      if (rolledBack) throw new RolledBack();
      return done;
    });
  } catch (error) {
    if (error instanceof RolledBack || isExpected(error)) return [];
    throw error;
  }
}

/** 40P01: two transactions of several movements each may wait for one another; the database aborts one of them. */
function isExpected(error: unknown): boolean {
  if (error instanceof OperationError) return ['insufficient_balance', 'conflict'].includes(error.code);
  return error instanceof Error && (error.cause as { code?: string } | undefined)?.code === '40P01';
}

/** Computes the expected wallets from the effective movements alone. */
function expected(done: readonly Movement[]): { balance: bigint; held: bigint }[] {
  const wallets = [0, 1].map(() => ({ balance: 0n, held: 0n }));
  const holds = new Map(done.filter((one) => one.kind === 'hold').map((one) => [one.name, one]));
  for (const { kind, wallet, name, amount } of done) {
    const owner = wallets[kind === 'topUp' || kind === 'hold' ? wallet : (holds.get(name)?.wallet ?? -1)];
    if (!owner) throw new Error(`${kind} of ${name} took effect without a hold`);
    if (kind === 'topUp') owner.balance += amount;
    if (kind === 'capture') owner.balance -= amount;
    if (kind === 'hold') owner.held += amount;
    else if (kind !== 'topUp') owner.held -= holds.get(name)?.amount ?? 0n;
  }
  return wallets;
}

test('after concurrent movements, each wallet holds the sum of those that took effect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { minLength: 10, maxLength: 40 }), async (transactions) => {
      const round = { id: randomUUID(), accountIds: [randomUUID(), randomUUID()] };
      for (const accountId of round.accountIds) await openWallet(database.db, accountId);
      const before = await run(round, { movements: BEFORE, rolledBack: false });
      const after = await Promise.all(transactions.map((one) => run(round, one)));
      const done = [...before, ...after.flat()];
      const settled = done.filter((one) => one.kind === 'capture' || one.kind === 'release');
      expect(new Set(settled.map((one) => one.name)).size).toBe(settled.length);
      const wallets = await Promise.all(round.accountIds.map((id) => readBalance(database.db, id)));
      expect(wallets.map(({ balance, held }) => ({ balance, held }))).toEqual(expected(done));
      expect(await reconcileBalances(database.db)).toEqual({ ok: true, faults: [] });
    }),
    // Concurrent steps can't be shrunk: their order differs each time.
    { numRuns: 40, endOnFailure: true },
  );
});
