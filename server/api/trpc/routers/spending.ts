import { formatUsd, parseUsd } from '../../../../models/core/operation/money.ts';
import { readSpending, setAccountCap, setEventUrl } from '../../../money/spending/index.ts';
import { assertReceiver } from '../procedures/assert-receiver.ts';
import { ownProcedure, router } from '../procedures/init.ts';
import { accountCapInput, eventUrlInput } from '../procedures/inputs.ts';

export const spendingRouter = router({
  /** Cap and event address of the account, and what it has spent in this month. */
  settings: ownProcedure('account.see').query(async ({ ctx: { ctx, accountId } }) => {
    const { monthlyCap, eventUrl, reserved, charged } = await readSpending(ctx.db, accountId);
    return {
      monthlyCapUsd: monthlyCap === null ? null : formatUsd(monthlyCap),
      eventUrl,
      reservedUsd: formatUsd(reserved),
      chargedUsd: formatUsd(charged),
    };
  }),
  setCap: ownProcedure('money.change')
    .input(accountCapInput)
    .mutation(({ ctx: { ctx, accountId }, input: { amountUsd } }) =>
      setAccountCap(ctx.db, accountId, amountUsd === null ? null : parseUsd(amountUsd)),
    ),
  setEventUrl: ownProcedure('money.change')
    .input(eventUrlInput)
    .mutation(async ({ ctx: { ctx, accountId }, input: { url } }) => {
      if (url !== null) await assertReceiver(ctx, accountId, url);
      await setEventUrl(ctx.db, accountId, url);
    }),
});
