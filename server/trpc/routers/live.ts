import { setTimeout } from 'node:timers/promises';
import type { Visitor } from '../../auth/index.ts';
import { createTimeoutSignal } from '../../base/timeout-signal.ts';
import { getProcessLimits } from '../../http/limits/process-limits.ts';
import { readJobActivity } from '../../jobs/index.ts';
import { findRole, readTeamActivity } from '../../team/index.ts';
import { readBalance } from '../../wallet/index.ts';
import { readDeliveryActivity } from '../../webhooks/index.ts';
import { type CallContext, modeProcedure, router } from '../procedures/init.ts';

const CHECK_EVERY_MS = 1_000;
/** After this the page connects again, with a session that must still be valid. */
const STREAM_MS_MAX = 15 * 60_000;

export const liveRouter = router({
  /** Yields whenever something of the account has changed: its money, latest jobs or deliveries, or its team. */
  changes: modeProcedure('account.see').subscription(async function* ({
    ctx: { ctx, accountId, visitor },
    signal,
  }) {
    const stops = [signal, ctx.stopping].filter((each) => each !== undefined);
    const ended = createTimeoutSignal(STREAM_MS_MAX, ...stops);
    const place = getProcessLimits(ctx.env).streams.acquire(accountId, 1);
    try {
      let known: string | null | undefined;
      while (!ended.aborted) {
        const now = await readFingerprint(ctx, visitor, accountId).catch(() => known);
        if (now === null) {
          // The page asks again for what it shows, and hears that it may not.
          yield { changed: true };
          return;
        }
        if (now !== known) yield { changed: known !== undefined };
        known = now;
        await setTimeout(CHECK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
      }
    } finally {
      place.release();
    }
  }),
});

/**
 * Returns a text that changes with the account; null once the visitor does not belong to it any more.
 * @param accountId of the jobs and deliveries: the account itself, or its sandbox
 */
async function readFingerprint(
  { db }: CallContext['ctx'],
  { accountId: ownerId, userId }: Visitor,
  accountId: string,
): Promise<string | null> {
  const [role, money, jobs, deliveries, team] = await Promise.all([
    findRole(db, ownerId, userId),
    readBalance(db, ownerId),
    readJobActivity(db, accountId),
    readDeliveryActivity(db, accountId),
    readTeamActivity(db, ownerId),
  ]);
  if (role === null) return null;
  return `${money.balance} ${money.held} | ${jobs} | ${deliveries} | ${team}`;
}
