/**
 * Run times on this device: sums over (megabytes, seconds) of each run, enough for a linear fit. They come from the
 * visitor's own runs and stay in this browser.
 */
export interface RunTimes {
  readonly runs: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly megabytesSquared: number;
  readonly megabytesSeconds: number;
}

/** Fewer runs give no estimate: the first run also loads what later ones reuse. */
export const RUNS_MIN = 3;
/** Beyond this count all sums are halved, so that old runs weigh less and less. */
const RUNS_MAX = 60;
export const NO_RUNS: RunTimes = {
  runs: 0,
  megabytes: 0,
  seconds: 0,
  megabytesSquared: 0,
  megabytesSeconds: 0,
};

/**
 * Adds a run.
 * @param bytes of the input
 */
export function addRun(times: RunTimes, bytes: number, seconds: number): RunTimes {
  const megabytes = bytes / 1e6;
  const share = times.runs >= RUNS_MAX ? 0.5 : 1;
  return {
    runs: Math.floor(times.runs * share) + 1,
    megabytes: times.megabytes * share + megabytes,
    seconds: times.seconds * share + seconds,
    megabytesSquared: times.megabytesSquared * share + megabytes * megabytes,
    megabytesSeconds: times.megabytesSeconds * share + megabytes * seconds,
  };
}

/**
 * Estimates a run's time from the least-squares line through earlier runs, never decreasing with size and never
 * negative; proportional to size where all runs had one size.
 * @returns seconds; undefined before there are enough runs
 */
export function estimateSeconds(times: RunTimes, bytes: number): number | undefined {
  const { runs, megabytes, seconds, megabytesSquared, megabytesSeconds } = times;
  if (runs < RUNS_MIN) return undefined;
  const spread = runs * megabytesSquared - megabytes * megabytes;
  const isOneSize = spread < 0.01 * megabytes * megabytes;
  const slope = isOneSize
    ? seconds / megabytes
    : Math.max(0, (runs * megabytesSeconds - megabytes * seconds) / spread);
  const base = Math.max(0, (seconds - slope * megabytes) / runs);
  return base + slope * (bytes / 1e6);
}

/** Estimates the time of one file of usual size in seconds; undefined before there are enough runs. */
export function typicalSeconds(times: RunTimes): number | undefined {
  return estimateSeconds(times, (1e6 * times.megabytes) / Math.max(1, times.runs));
}
