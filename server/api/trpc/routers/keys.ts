import { formatUsd, parseUsd } from '../../../../models/core/operation/money.ts';
import { issueKey, type KeySummary, listKeys, revokeKey, rotateKey } from '../../../identity/keys/index.ts';
import { modeProcedure, router } from '../procedures/init.ts';
import { keyInput, newKeyInput, rotateKeyInput } from '../procedures/inputs.ts';

export const keysRouter = router({
  list: modeProcedure('keys.see').query(async ({ ctx: { ctx, accountId } }) => {
    return (await listKeys(ctx.db, accountId)).toReversed().map(showKey);
  }),
  /** Returns the key itself, which cannot be shown again. */
  create: modeProcedure('keys.change')
    .input(newKeyInput)
    .mutation(({ ctx: { ctx, accountId }, input }) => {
      const { name, operations, monthlyCapUsd, expiresAt } = input;
      return issueKey(ctx.db, {
        accountId,
        name,
        ...(operations && { operations }),
        ...(monthlyCapUsd !== undefined && { monthlyCap: parseUsd(monthlyCapUsd) }),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      });
    }),
  /** Returns a key like the old one, which works for some hours more. */
  rotate: modeProcedure('keys.change')
    .input(rotateKeyInput)
    .mutation(({ ctx: { ctx, accountId }, input: { keyId, graceHours } }) =>
      ctx.db.transaction((tx) => rotateKey(tx, { accountId, keyId }, graceHours)),
    ),
  revoke: modeProcedure('keys.change')
    .input(keyInput)
    .mutation(({ ctx: { ctx, accountId }, input: { keyId } }) => revokeKey(ctx.db, { accountId, keyId })),
});

function showKey({ monthlyCap, spent, createdAt, expiresAt, revokedAt, lastUsedAt, ...key }: KeySummary) {
  const isExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  return {
    ...key,
    state: revokedAt ? ('revoked' as const) : isExpired ? ('expired' as const) : ('active' as const),
    monthlyCapUsd: monthlyCap === null ? null : formatUsd(monthlyCap),
    spentUsd: formatUsd(spent),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
