const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Pause after each failed attempt: the second within a minute, the tenth and last after about 3 days in all. */
const PAUSES_MS = [
  MINUTE_MS / 2,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  18 * HOUR_MS,
  22 * HOUR_MS,
];

/** Attempts at a delivery. */
export const DELIVERY_ATTEMPTS_MAX = PAUSES_MS.length + 1;

/** Time between the first and the last attempt, in whole days. */
export const DELIVERY_DAYS = Math.round(PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0) / DAY_MS);

/**
 * Returns the time of the next attempt.
 * @param attempts made so far, 1 or more
 * @returns null after the last one
 */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs);
}
