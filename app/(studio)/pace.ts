/**
 * How long runs have taken on this device: sums over (megabytes, seconds) of each run, enough for a straight line. They
 * are measured in the visitor's own runs and stay in this browser.
 */
export interface Pace {
  readonly runs: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly megabytesSquared: number;
  readonly megabytesSeconds: number;
}

/** Fewer tell nothing: the first run of all also loads what later ones have. */
export const RUNS_MIN = 3;
/** Beyond these all sums are halved, so that what was long ago counts less and less. */
const RUNS_MAX = 60;
export const NO_RUNS: Pace = { runs: 0, megabytes: 0, seconds: 0, megabytesSquared: 0, megabytesSeconds: 0 };

/** @param bytes of the input */
export function withRun(pace: Pace, bytes: number, seconds: number): Pace {
  const megabytes = bytes / 1e6;
  const share = pace.runs >= RUNS_MAX ? 0.5 : 1;
  return {
    runs: Math.floor(pace.runs * share) + 1,
    megabytes: pace.megabytes * share + megabytes,
    seconds: pace.seconds * share + seconds,
    megabytesSquared: pace.megabytesSquared * share + megabytes * megabytes,
    megabytesSeconds: pace.megabytesSeconds * share + megabytes * seconds,
  };
}

/**
 * What a run is likely to take: the least-squares line through the runs so far, never falling with size and never below
 * nothing; in proportion to size where all were of one size.
 * @returns seconds; undefined before there is enough to go by
 */
export function likelySeconds(pace: Pace, bytes: number): number | undefined {
  const { runs, megabytes, seconds, megabytesSquared, megabytesSeconds } = pace;
  if (runs < RUNS_MIN) return undefined;
  const spread = runs * megabytesSquared - megabytes * megabytes;
  const isOneSize = spread < 0.01 * megabytes * megabytes;
  const slope = isOneSize
    ? seconds / megabytes
    : Math.max(0, (runs * megabytesSeconds - megabytes * seconds) / spread);
  const base = Math.max(0, (seconds - slope * megabytes) / runs);
  return base + slope * (bytes / 1e6);
}
