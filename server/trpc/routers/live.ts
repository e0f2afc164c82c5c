import { setTimeout } from 'node:timers/promises';
import { processBounds } from '../../http/process-bounds.ts';
import { activityOf } from '../../jobs/index.ts';
import { balance } from '../../wallet/index.ts';
import { deliveryActivityOf } from '../../webhooks/index.ts';
import { withinTime } from '../../within-time.ts';
import { type CallContext, ownProcedure, router } from '../init.ts';

const CHECK_EVERY_MS = 1_000;
/** After this the page connects again, with a session that must still be valid. */
const STREAM_MS_MAX = 15 * 60_000;

export const liveRouter = router({
  /** Yields whenever something of the account has changed: its money, latest jobs or deliveries. */
  changes: ownProcedure.subscription(async function* ({ ctx: { ctx, accountId }, signal }) {
    const stops = [signal, ctx.stopping].filter((each) => each !== undefined);
    const ended = withinTime(STREAM_MS_MAX, ...stops);
    const place = processBounds(ctx.env).streams.enter(accountId, 1);
    try {
      let known: string | undefined;
      while (!ended.aborted) {
        const now = await fingerprint(ctx, accountId).catch(() => known);
        if (now !== known) yield { changed: known !== undefined };
        known = now;
        await setTimeout(CHECK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
      }
    } finally {
      place.leave();
    }
  }),
});

async function fingerprint({ db }: CallContext['ctx'], accountId: string): Promise<string> {
  const [money, jobs, deliveries] = await Promise.all([
    balance(db, accountId),
    activityOf(db, accountId),
    deliveryActivityOf(db, accountId),
  ]);
  return `${money.balance} ${money.held} | ${jobs} | ${deliveries}`;
}
