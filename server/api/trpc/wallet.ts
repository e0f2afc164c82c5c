import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, parseUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context.ts';
import { decodeCursor, encodeCursor } from '../../base/database/cursor.ts';
import { isLocal } from '../../base/is-local.ts';
import { isStripeConfigured } from '../../money/stripe/index.ts';
import { countHolds, type EntryCursor, listEntries, readBalance, topUp } from '../../money/wallet/index.ts';
import { ownProcedure, router } from './init.ts';
import { ledgerInput, topUpInput } from './inputs.ts';

/** Reference of a top-up without money, on a local install. */
const TEST_TOP_UP = 'test top-up';

export const walletRouter = router({
  summary: ownProcedure('account.see').query(async ({ ctx: { ctx, accountId } }) => {
    const [money, holds] = await Promise.all([readBalance(ctx.db, accountId), countHolds(ctx.db, accountId)]);
    return {
      balanceUsd: formatUsd(money.balance),
      heldUsd: formatUsd(money.held),
      availableUsd: formatUsd(money.available),
      holds,
      topUp: findTopUpMethod(ctx),
    };
  }),
  ledger: ownProcedure('money.see')
    .input(ledgerInput)
    .query(async ({ ctx: { ctx, accountId }, input }) => {
      const { only, operation, limit } = input;
      const after = readEntryCursor(input.cursor);
      const filter = { direction: only, category: operation };
      const { entries, next } = await listEntries(ctx.db, { accountId, ...filter, after, limit });
      return {
        entries: entries.map(({ id, amount, balanceAfter, createdAt, ...entry }) => ({
          ...entry,
          id: String(id),
          amountUsd: formatUsd(amount),
          balanceUsd: balanceAfter === null ? null : formatUsd(balanceAfter),
          createdAt: createdAt.toISOString(),
        })),
        next: next && encodeCursor([String(next.id), next.balance === null ? null : String(next.balance)]),
      };
    }),
  /** Credits without money: only where no payments are set up and the database is this machine's own. */
  testTopUp: ownProcedure('money.change')
    .input(topUpInput)
    .mutation(async ({ ctx: { ctx, accountId }, input }) => {
      if (findTopUpMethod(ctx) !== 'test') {
        throw new OperationError('forbidden', 'Test top-ups are for local installs only.');
      }
      const amount = parseUsd(input.amountUsd);
      const idempotencyKey = `test:${accountId}:${input.idempotencyKey}`;
      await topUp(ctx.db, { accountId, amount, idempotencyKey, reference: TEST_TOP_UP });
    }),
});

/** Returns how an account can top up: `test` credits without money, `none` leaves it to the operator's command. */
function findTopUpMethod({ env }: Context): 'stripe' | 'test' | 'none' {
  if (isStripeConfigured(env)) return 'stripe';
  return env.EMBEDDED_DATABASE && isLocal(env) ? 'test' : 'none';
}

function readEntryCursor(text: string | null | undefined): EntryCursor | undefined {
  return decodeCursor(text, ([id, left]) => {
    const isWhole = (part: unknown): part is string => typeof part === 'string' && /^-?\d{1,18}$/.test(part);
    if (!isWhole(id) || !(left === null || isWhole(left))) return undefined;
    return { id: BigInt(id), balance: left === null ? null : BigInt(left) };
  });
}
