import { z } from 'zod';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { readBalance } from '../../money/wallet/index.ts';
import { describeProblems, describeResponse } from '../openapi/openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

const usd = z.string().meta({ example: '5.00' });
const walletSchema = z
  .object({ balance_usd: usd, held_usd: usd, available_usd: usd })
  .meta({ id: 'Wallet', description: 'Decimal strings in US dollars; available is balance less held.' });

/** The balance of the account, and what jobs hold of it; that of a test key is empty. */
export const getWallet = defineRoute({
  method: 'GET',
  path: '/v2/wallet',
  audience: 'programs',
  authentication: 'either',
  permission: 'account.see',
  docs: {
    operationId: 'getWallet',
    tag: 'account',
    summary: 'Balance of the wallet',
    description: 'Amounts of the key’s account, those held by its unfinished jobs included.',
    responses: {
      '200': describeResponse('The wallet of the key’s account.', walletSchema),
      ...describeProblems(['unauthorized', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor }) {
    const { balance: total, held, available } = await readBalance(ctx.db, actor.accountId);
    return jsonResponse(200, {
      balance_usd: formatUsd(total),
      held_usd: formatUsd(held),
      available_usd: formatUsd(available),
    });
  },
});
