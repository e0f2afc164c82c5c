import { ConnectionError, ServiceError, TooManyRequestsError } from '../../errors.ts';
import { pause } from '../../send.ts';

/** First pause after a failed call, which doubles up to the longest. */
const PAUSE_MS = { first: 1_000, max: 60_000 };

interface Persistence {
  readonly signal: AbortSignal;
  /** Called before each pause. */
  readonly onTrouble: (thrown: Error, pauseMs: number) => void;
  /** Overrides the first pause. */
  readonly firstPauseMs?: number | undefined;
}

/**
 * Repeats a call for as long as the service is out of reach, busy or at fault, with growing pauses.
 * @throws any other error of the call, or the signal's reason
 */
export async function persist<Result>(
  call: () => Promise<Result>,
  { signal, onTrouble, firstPauseMs = PAUSE_MS.first }: Persistence,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (thrown) {
      signal.throwIfAborted();
      if (!mayPass(thrown)) throw thrown;
      const askedMs = 'retryAfterSeconds' in thrown ? (thrown.retryAfterSeconds ?? 0) * 1000 : 0;
      const waitMs = Math.max(pauseMs, Math.min(askedMs, PAUSE_MS.max));
      onTrouble(thrown, waitMs);
      await pause(waitMs, signal);
    }
  }
}

function mayPass(thrown: unknown): thrown is ConnectionError | ServiceError | TooManyRequestsError {
  return [ConnectionError, ServiceError, TooManyRequestsError].some((kind) => thrown instanceof kind);
}
