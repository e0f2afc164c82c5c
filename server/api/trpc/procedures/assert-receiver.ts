import { OperationError } from '../../../../models/core/operation/errors.ts';
import type { Context } from '../../../base/context/context.ts';
import { addressRules, assertReachableUrl } from '../../../io/fetching/index.ts';

/** Limit of the look-up of a name. */
const REACH_MS = 15_000;

/**
 * Checks that a receiver of webhooks may be reached.
 * @throws OperationError naming `url`
 */
export async function assertReceiver(ctx: Context, accountId: string, url: string): Promise<void> {
  const signal = AbortSignal.timeout(REACH_MS);
  await assertReachableUrl(url, { ...addressRules(ctx.env), owner: accountId, signal }).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof OperationError)) throw thrown;
      throw new OperationError(thrown.code, `url: ${thrown.message}`, { cause: thrown });
    },
  );
}
