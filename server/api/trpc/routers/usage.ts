import { OperationError } from '../../../../models/core/operation/errors.ts';
import { listKeys } from '../../../identity/keys/index.ts';
import { listCharges } from '../../../identity/usage/index.ts';
import { countUsageReport } from '../../routes/get-usage.ts';
import { ownProcedure, router } from '../procedures/init.ts';
import { usageInput } from '../procedures/inputs.ts';

const DAYS_MAX = 366;

export const usageRouter = router({
  /** Charges by day, model and key; amounts are micro-USD as text, for sums. */
  spending: ownProcedure('account.see')
    .input(usageInput)
    .query(async ({ ctx: { ctx, accountId }, input: { from, to } }) => {
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
      if (days < 0 || days > DAYS_MAX) {
        throw new OperationError('bad_request', `from: must be at most ${DAYS_MAX} days before to.`);
      }
      await countUsageReport(ctx, accountId);
      const [rows, keys] = await Promise.all([
        listCharges(ctx.db, { accountId, from, to }),
        listKeys(ctx.db, accountId),
      ]);
      const names = new Map(keys.map(({ keyId, name, prefix }) => [keyId, `${name} (${prefix})`]));
      return rows.map(({ keyId, charged, ...row }) => ({
        ...row,
        key: keyId === null ? 'Studio' : (names.get(keyId) ?? 'Deleted key'),
        chargedMicroUsd: String(charged),
      }));
    }),
});
