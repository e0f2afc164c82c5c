import { setTimeout as wait } from 'node:timers/promises';

const FIRST_PAUSE_MS = 50;
const PAUSE_MS_MAX = 1_000;
/** Longest wait of one step for the end of an outage: a request that waits longer is better sent again. */
export const RECOVERY_MS = 10_000;

/**
 * Repeats a step while it fails by an outage that may be short.
 * @param isOutage tells for which errors the step may be repeated
 * @param timeoutMs after which the error is thrown; 0 repeats nothing
 */
export async function awaitRecovery<T>(
  step: () => Promise<T>,
  isOutage: (thrown: unknown) => boolean,
  timeoutMs = RECOVERY_MS,
): Promise<T> {
  const startMs = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await step();
    } catch (thrown) {
      if (!isOutage(thrown) || performance.now() - startMs + pauseMs > timeoutMs) throw thrown;
    }
    await wait(pauseMs);
  }
}
