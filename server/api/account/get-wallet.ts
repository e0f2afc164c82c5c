import { formatUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context/context.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { readBalance } from '../../money/wallet/index.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Handles GET /v2/wallet: the balance of the account, and what jobs hold of it; that of a test key is empty. */
export async function getWallet(ctx: Context, _request: Request, actor: Actor): Promise<Response> {
  const { balance: total, held, available } = await readBalance(ctx.db, actor.accountId);
  return jsonResponse(200, {
    balance_usd: formatUsd(total),
    held_usd: formatUsd(held),
    available_usd: formatUsd(available),
  });
}
