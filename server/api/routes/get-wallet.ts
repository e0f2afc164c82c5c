import { z } from 'zod';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { readKeySpending, readTokenSpending } from '../../money/spending/index.ts';
import { readBalance } from '../../money/wallet/index.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

const usd = z.string().meta({ example: '5.00' });
/** One shape for both responses, so that generated clients read either: a limited key gets other members. */
const walletSchema = z
  .object({
    available_usd: usd.nullable().meta({
      description: 'Balance less held, or what the cap leaves; null for a limited key without a cap.',
    }),
    balance_usd: usd.optional().meta({ description: 'Balance of the account, what is held included.' }),
    held_usd: usd.optional().meta({ description: 'What unfinished jobs of the account hold.' }),
    cap_usd: usd
      .nullable()
      .optional()
      .meta({ description: 'Monthly cap of a limited key, or limit of a token; null without one.' }),
    spent_usd: usd
      .optional()
      .meta({ description: 'What a limited key has spent or holds in this calendar month (UTC).' }),
  })
  .meta({
    id: 'Wallet',
    description:
      'Decimal strings in US dollars. A key with operations or a cap, and a token, has `cap_usd` and `spent_usd` in place of `balance_usd` and `held_usd`.',
  });

/** The balance of the account, and what jobs hold of it; that of a test key is empty. */
export const getWallet = defineRoute({
  method: 'GET',
  path: '/v2/wallet',
  permission: 'account.see',
  isForTokens: true,
  docs: {
    operationId: 'getWallet',
    tag: 'account',
    summary: 'Balance of the wallet',
    description:
      'Amounts of the key’s account, those held by its unfinished jobs included. A key with operations or a cap, and a token, gets its own spending instead.',
    responses: {
      '200': describeResponse(
        'The wallet of the key’s account, or the spending of a limited key.',
        walletSchema,
      ),
      ...describeProblems(['unauthorized', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor }) {
    if (actor.keyId !== null && actor.visibleKeyIds) {
      const { cap, spent } = await (actor.tokenId === undefined
        ? readKeySpending(ctx.db, actor.keyId)
        : readTokenSpending(ctx.db, actor.tokenId));
      const left = cap === null || spent > cap ? 0n : cap - spent;
      return jsonResponse(200, {
        cap_usd: cap === null ? null : formatUsd(cap),
        spent_usd: formatUsd(spent),
        available_usd: cap === null ? null : formatUsd(left),
      });
    }
    const { balance: total, held, available } = await readBalance(ctx.db, actor.accountId);
    return jsonResponse(200, {
      balance_usd: formatUsd(total),
      held_usd: formatUsd(held),
      available_usd: formatUsd(available),
    });
  },
});
