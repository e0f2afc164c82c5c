import { setTimeout } from 'node:timers/promises';
import { createTimeoutSignal } from '../../../base/timeout-signal.ts';
import { getProcessLimits } from '../../limits/process-limits.ts';
import { readAccountState } from '../procedures/account-state.ts';
import { modeProcedure, router } from '../procedures/init.ts';

const CHECK_EVERY_MS = 1_000;
/** After this the page connects again, with a session that must still be valid. */
const STREAM_MS_MAX = 15 * 60_000;

export const liveRouter = router({
  /** Yields the state of the account, and again whenever it has changed. */
  states: modeProcedure('account.see').subscription(async function* ({
    ctx: { ctx, accountId, visitor },
    signal,
  }) {
    const stops = [signal, ctx.stopping].filter((each) => each !== undefined);
    const ended = createTimeoutSignal(STREAM_MS_MAX, ...stops);
    const place = getProcessLimits(ctx.env).streams.acquire(accountId, 1);
    try {
      let known: string | null | undefined;
      while (!ended.aborted) {
        const now = await readAccountState(ctx.db, visitor, accountId).catch(() => known);
        if (now !== known && now !== undefined) yield { state: now };
        // The page asks again for what it shows, and hears that it may not.
        if (now === null) return;
        known = now;
        await setTimeout(CHECK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
      }
    } finally {
      place.release();
    }
  }),
});
