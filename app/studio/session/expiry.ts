/** Stored session of a tab. */
export interface TabUsage {
  readonly id: string;
  /** Last change, in milliseconds since the epoch. */
  readonly seenAtMs: number;
  /** Bytes of its files. */
  readonly bytes: number;
  readonly isOpen: boolean;
}

/** Limits of all stored sessions together. */
export interface SessionLimits {
  readonly bytesMax: number;
  readonly filesMax: number;
  /** Time for which the session of a closed tab is kept. */
  readonly ageMaxMs: number;
}

export const SESSION_LIMITS: SessionLimits = {
  bytesMax: 2_000_000_000,
  filesMax: 500,
  ageMaxMs: 24 * 3600 * 1000,
};

/**
 * Returns the closed tabs whose sessions must go: all that have expired, and the oldest others until the rest fits.
 * @param neededBytes of a file that is about to be stored
 */
export function expiredTabs(
  tabs: readonly TabUsage[],
  nowMs: number,
  neededBytes: number,
  { bytesMax, ageMaxMs }: SessionLimits = SESSION_LIMITS,
): readonly string[] {
  let bytes = tabs.reduce((sum, tab) => sum + tab.bytes, neededBytes);
  const closed = tabs.filter(({ isOpen }) => !isOpen).toSorted((a, b) => a.seenAtMs - b.seenAtMs);
  const dropped: string[] = [];
  for (const tab of closed) {
    const isExpired = nowMs - tab.seenAtMs > ageMaxMs;
    if (!isExpired && bytes <= bytesMax) break;
    dropped.push(tab.id);
    bytes -= tab.bytes;
  }
  return dropped;
}
