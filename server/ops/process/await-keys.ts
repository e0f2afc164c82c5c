import type { ProcessPart } from '../../../drizzle/processes.ts';
import type { IsolationLevel } from '../../base/children/isolation.ts';
import type { Context } from '../../base/context.ts';
import { sealOnceKeysAreKnown } from '../../base/secrets/index.ts';
import { startHeartbeats } from '../../jobs/heartbeats.ts';
import { onStop, reportStarting } from './lifecycle.ts';

/**
 * Waits until this process has the keys of all stored secrets. One that lacks a key shows that it lives: health and
 * `npm run secrets` name it.
 */
export async function awaitKeys(ctx: Context, part: ProcessPart, isolation: IsolationLevel): Promise<void> {
  const reportWaiting = async () => {
    const endBeats = await startHeartbeats(ctx, part, { isolation, waitsForKey: true });
    onStop(endBeats);
    return endBeats;
  };
  await reportStarting(sealOnceKeysAreKnown(ctx, { reportWaiting }));
}
